/*
 * Leader election in a ring, after Chang and Roberts (1979).
 *
 * N nodes stand in a ring; each can only talk to its neighbour on the right,
 * and knows only its own number. Each sends its number on its way. A node that
 * hears a larger number than its own passes it on; a smaller one it swallows.
 * A number that comes home has met nobody larger: its owner is the leader, and
 * sends the news round once, so that everyone can stop.
 *
 * Exactly one node is elected, on every run: `elected` needs no fairness, as
 * every run ends. Try -D N=5 and -D N=6 with and without reduction: nodes mostly
 * work on their own, so many orders of their steps come to the same.
 *
 * expect: safety holds
 * states: 522 transitions: 1336
 * ltl elected: holds
 * ltl single: holds
 */

#ifndef N
#define N 4
#endif

mtype = { candidate, winner };

chan link[N] = [N] of { mtype, byte };  /* link[i]: into node i */

byte leaders;                           /* how many nodes believe to be it */

proctype node(byte position, number)
{
    byte heard;
    chan left = link[position];
    chan right = link[(position + 1) % N];

    right!candidate,number;
    do
    :: left?candidate,heard ->
       if
       :: heard > number ->
          right!candidate,heard
       :: heard == number ->
          leaders++;
          assert(leaders == 1 && number == N);
          right!winner,number
       :: heard < number                /* swallowed */
       fi
    :: left?winner,heard ->
       if
       :: heard != number -> right!winner,heard
       :: heard == number               /* everyone has heard */
       fi;
       break
    od
}

init
{
    byte i;

    atomic {                            /* numbers 1 to N, not in ring order */
        for (i : 0 .. N - 1) {
            run node(i, (N + 1 - i) % N + 1)
        }
    }
}

ltl elected { <> (leaders == 1) }
ltl single  { [] (leaders <= 1) }
