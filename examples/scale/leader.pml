/*
 * Leader election in a one-way ring with O(N log N) messages, after Dolev,
 * Klawe and Rodeh (1982) and Peterson (1982).
 *
 * Each node starts as a candidate with a number of its own. In each phase a
 * candidate learns the numbers of the two candidates before it. If the nearer
 * of the two is the largest of the three, the candidate lives on under that
 * number; otherwise it retires, and from then on only passes messages on. A
 * candidate that hears its own number is alone, and has won.
 *
 * Numbers wander, so the winner is in general not the node that started with
 * the largest number, although it wins in the name of that number.
 *
 * expect: safety holds
 * states: 1652 transitions: 4838
 * scale: -D N=8 states: 2265572 transitions: 13334778
 * scale: -D N=9 states: 13922988 transitions: 92236018
 * ltl elected: holds
 * ltl largest_wins: violated
 */

#ifndef N
#define N 4
#endif

mtype = { nearest, second, winner };

chan link[N] = [2] of { mtype, byte };  /* link[i]: into node i */

byte leaders;                           /* how many have won */
byte place;                             /* where the last one that won stands */

#define start_of(position) ((N + 1 - position) % N + 1)
#define LARGEST 2                       /* start_of(2) == N */

proctype node(byte position, number)
{
    byte heard, before;
    bool candidate = true;
    chan from_left = link[position];
    chan to_right = link[(position + 1) % N];

    to_right!nearest,number;
end:
    do
    :: from_left?nearest,heard ->
       if
       :: candidate && heard == number ->
          leaders++;
          place = position;
          assert(leaders == 1 && number == N);
          to_right!winner,number
       :: candidate && heard != number ->
          before = heard;
          to_right!second,heard
       :: !candidate ->
          to_right!nearest,heard
       fi
    :: from_left?second,heard ->
       if
       :: candidate && before > heard && before > number ->
          number = before;
          to_right!nearest,number
       :: candidate && !(before > heard && before > number) ->
          candidate = false
       :: !candidate ->
          to_right!second,heard
       fi
    :: from_left?winner,heard ->
       if
       :: leaders == 1 && place == position     /* all have heard */
       :: else -> to_right!winner,heard
       fi;
       break
    od
}

init
{
    byte position;

    atomic {
        for (position : 0 .. N - 1) {
            run node(position, start_of(position))
        }
    }
}

/* There is a leader in the end, on every run. */
ltl elected       { <> (leaders == 1) }
/* But it is not the node that had the largest number. */
ltl largest_wins  { <> (leaders == 1 && place == LARGEST) }
