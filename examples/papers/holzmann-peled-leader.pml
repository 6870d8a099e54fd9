/*
 * Leader election in a unidirectional ring, as printed in 1994.
 *
 * Holzmann and Peled, "An Improvement in Formal Verification" (FORTE 1994),
 * Appendix; the algorithm is that of Dolev, Klawe and Rodeh (1982). The model
 * is as printed, but for one name: `active` is a keyword today.
 *
 * With static reduction the full search of this file, 38,785 states, shrinks
 * to a single path of 69 states. The numbers of the paper's Table I are those
 * of holzmann-peled-leader-1994.pml.
 *
 * expect: safety holds
 * states: 38785 transitions: 159523
 */

#define I 3     /* The node to have smallest identifier */
#define N 5     /* number of processes */
#define L 10    /* size of message buffer */

mtype = { first, second };

chan q[N] = [L] of {byte,byte};     /* global FIFO buffer */

proctype node(chan in, out; byte id)
{
    byte number, maxi=id, neighbourR;   /* local */
    bit is_active=1;                    /* local; printed: active */

    xr in;      /* assert exclusive receive access to chan in */
    xs out;     /* assert exclusive send access to chan out */

    out!first(id);
end: do
    /* repetition : valid end-state */
    :: in?first(number) ->
        if /* selection */
        :: is_active ->
            if /* selection */
            :: number != maxi ->
                out!second(number);
                neighbourR = number
            :: number == maxi ->
                assert maxi == N
            fi
        :: !is_active -> out!first(number)
        fi
    :: in?second(number) ->
        if /* selection */
        :: is_active ->
            if /* selection */
            :: neighbourR > number && neighbourR > maxi ->
                maxi = neighbourR;
                out!first(neighbourR)
            :: !(neighbourR > number && neighbourR > maxi) ->
                is_active = 0
            fi
        :: !is_active -> out!second(number)
        fi
    od
}

init {
    byte n=1;           /* a local variable */
    atomic {            /* non-interleaved */
        do              /* repetition */
        :: n <= N ->
            run node(q[n-1], q[n%N], (N+I-n)%N+1);
            n = n+1
        :: n > N ->
            break       /* end repetition */
        od
    }
}
