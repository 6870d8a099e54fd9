/*
 * Peterson's mutual exclusion for N processes: the filter.
 *
 * There are N - 1 levels in front of the critical section. A process that
 * enters a level signs as the last to have come. It waits there as long as it
 * is the last and someone else is as far as it is. So each level holds back
 * one process, and one is left to pass the last.
 *
 * The others are looked at one by one, not all at once: that is what makes the
 * proof hard and the state space large.
 *
 * expect: safety holds
 * states: 51596 transitions: 146376
 * scale: -D N=4 states: 8843939 transitions: 33239786
 * ltl served: violated
 * ltl served under weak fairness: holds
 * ltl first_come: violated
 */

#ifndef N
#define N 3
#endif

byte level[N];                          /* how far each has come; 0: outside */
byte last[N];                           /* last[l]: who came last to level l */
byte inside;

active [N] proctype user()
{
    byte mine, other;

    do
    :: for (mine : 1 .. N - 1) {
           level[_pid] = mine;
           last[mine] = _pid;
           for (other : 0 .. N - 1) {
               other == _pid || level[other] < mine || last[mine] != _pid
           }
       }
       inside++;
critical:
       assert(inside == 1);
       inside--;
       level[_pid] = 0
    od
}

/* Whoever starts gets through; holds only if the scheduler is fair. */
ltl served       { [] (level[0] == 1 -> <> user[0]@critical) }
/* But not always before those who start later. */
ltl first_come   { [] ((level[0] == 1 && level[1] == 0) -> (!user[1]@critical U user[0]@critical)) }
