/*
 * Leader election in a unidirectional ring, with the step counts of 1994.
 *
 * Holzmann and Peled, "An Improvement in Formal Verification" (FORTE 1994),
 * Appendix and Table I, rows "Leader". When the table was made, the two
 * declarations `xr in` and `xs out` were steps that a process executes; today
 * they are not. One `skip` after each of them brings the steps back, and with
 * them the printed numbers: 45,885 states and 185,032 transitions in full (the
 * initial state counted as one transition), 79 and 79 with static reduction.
 * Otherwise the same as holzmann-peled-leader.pml.
 *
 * expect: safety holds
 * states: 45885 transitions: 185031
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
    skip;
    xs out;     /* assert exclusive send access to chan out */
    skip;

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
