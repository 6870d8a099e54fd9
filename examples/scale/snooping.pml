/*
 * Caches that watch a bus: the protocol with modified, exclusive, shared and invalid
 * lines, by handshakes.
 *
 * A processor that lacks its line, or may not write to it, asks the arbiter of the bus.
 * The arbiter asks the other caches one after the other, each by two handshakes: what
 * is going to happen, and which state and value they had. They give up their line, or
 * share it, before they answer. Then the processor gets the line. All this stands
 * inside `atomic`; it is interrupted where a cache has not yet finished with the
 * request before.
 *
 * expect: safety holds
 * states: 13909 transitions: 60761
 * scale: -D N=3 -D VALUES=4 states: 1481801 transitions: 8105821
 */

#ifndef N
#define N 2                                     /* processors, each with a cache of one line */
#endif
#ifndef VALUES
#define VALUES 2
#endif

mtype = { modified, exclusive, shared, invalid, read, write };

chan bus = [0] of { mtype, byte };              /* what, who */
chan snoop[N] = [0] of { mtype };
chan echo = [0] of { mtype, byte };             /* the state that it had, its value */
chan line[N] = [0] of { mtype, byte };          /* the new state, the value */

mtype state[N] = invalid;
byte value[N];
byte memory, latest;                            /* what was written last, anywhere */

#define may_write(i) (state[i] == modified || state[i] == exclusive)

proctype processor(byte me)
{
    do
    :: atomic { state[me] == invalid -> bus!read,me; line[me]?state[me],value[me] }
    :: atomic { !may_write(me) -> bus!write,me; line[me]?state[me],value[me] }
    :: d_step {
           may_write(me) ->
           state[me] = modified;
           value[me] = (value[me] + 1) % VALUES;
           latest = value[me]
       }
    :: d_step { state[me] != invalid -> assert(value[me] == latest) }
    :: d_step {                                 /* makes room */
           state[me] != invalid ->
           memory = (state[me] == modified -> value[me] : memory);
           state[me] = invalid;
           value[me] = 0
       }
    od
}

proctype snooper(byte me)
{
    mtype what, was;
    byte had;

end:
    do
    :: atomic {
           snoop[me]?what ->
           was = state[me];
           had = value[me];
           if
           :: was != invalid && what == read -> state[me] = shared
           :: was != invalid && what == write -> state[me] = invalid; value[me] = 0
           :: was == invalid
           fi;
           what = 0;
           echo!was,had;
           was = 0;
           had = 0
       }
    od
}

active proctype arbiter()
{
    mtype what, was;
    byte who, i, had;
    bool found;

end:
    do
    :: atomic {
           bus?what,who ->
           do
           :: i < N && i != who ->
              snoop[i]!what;
              echo?was,had;
              memory = (was == modified -> had : memory);
              found = found || was != invalid;
              i++
           :: i == who -> i++
           :: i == N -> break
           od;
           i = 0;
           was = 0;
           had = 0;
           if
           :: what == write -> line[who]!modified,memory
           :: what == read && found -> line[who]!shared,memory
           :: what == read && !found -> line[who]!exclusive,memory
           fi;
           what = 0;
           who = 0;
           found = false
       }
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            run processor(i);
            run snooper(i)
        }
        i = 0
    }
}
