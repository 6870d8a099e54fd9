/*
 * An election in a ring whose links are handshakes, again and again.
 *
 * After Chang and Roberts (1979). A node wakes up, by itself or since it is called, and
 * sends its number; of the numbers that come by, it passes on what is greater than
 * all that it has seen. If two are waiting to be passed on, the greater remains. Who
 * gets its own number back is the leader, tells everybody, and all fall asleep.
 *
 * A node listens and talks in two processes: with one for both, all could want to talk
 * at once. The announcement travels round the ring as a chain of handshakes, each made
 * in the sequence that the one before has started.
 *
 * expect: safety holds
 * states: 479 transitions: 1524
 * scale: -D N=7 states: 4578041 transitions: 35894933
 */

#ifndef N
#define N 3
#endif

mtype = { candidate, elected };

chan link[N] = [0] of { mtype, byte };          /* into node i */

byte waiting[N];                                /* what node i has to pass on; 0: nothing */
byte best[N];                                   /* the best that it has seen; 0: asleep */
byte leaders;

/* Numbers from 1 to N, not in the order of the ring. */
#define number(i) ((i) % 2 == 0 -> N - (i) / 2 : ((i) + 1) / 2)
#define next ((me + 1) % N)

proctype listener(byte me)
{
    byte heard;

    do
    :: atomic {
           link[me]?candidate,heard ->
           if
           :: heard > best[me] ->               /* wakes up, if it was asleep */
              waiting[me] = (number(me) > heard && best[me] == 0 -> number(me) : heard);
              best[me] = waiting[me]
           :: heard < best[me]
           :: heard == best[me] && heard == number(me) ->
              leaders++;
              assert(leaders == 1 && heard == N);
              best[me] = 0;
              link[next]!elected,heard
           fi;
           heard = 0
       }
    :: atomic {
           link[me]?elected,heard ->
           if
           :: heard != number(me) ->
              best[me] = 0;
              link[next]!elected,heard
           :: else ->
              leaders--                         /* everybody knows */
           fi;
           heard = 0
       }
    od
}

proctype talker(byte me)
{
    byte said;

end:
    do
    :: atomic { best[me] == 0 && leaders == 0 -> best[me] = number(me); waiting[me] = number(me) }
    :: atomic {
           waiting[me] > 0 ->
           said = waiting[me];
           waiting[me] = 0;
           link[next]!candidate,said;
           said = 0
       }
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            run listener(i);
            run talker(i)
        }
        i = 0
    }
}
