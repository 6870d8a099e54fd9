/*
 * Dining philosophers, one of them left-handed: no deadlock.
 *
 * As in philosophers-deadlock.pml, but the last philosopher takes the fork on
 * the right first. Now the forks have an order in which everyone takes them,
 * so the philosophers cannot all wait for each other in a circle.
 *
 * Someone eats again and again, whatever the scheduler does (`someone_eats`);
 * a particular philosopher may starve (`first_eats`), because the neighbours
 * can be faster each time, even if the scheduler is fair.
 *
 * expect: safety holds
 * states: 847 transitions: 2704
 * ltl someone_eats: holds
 * ltl first_eats: violated
 */

#ifndef N
#define N 4
#endif

bool taken[N];
byte eating;                            /* how many are eating just now */

#define left  _pid
#define right ((_pid + 1) % N)

inline take(fork)
{
    atomic { !taken[fork] -> taken[fork] = true }
}

active [N] proctype philosopher()
{
    do
    :: if
       :: _pid != N - 1 -> take(left); take(right)
       :: _pid == N - 1 -> take(right); take(left)
       fi;
       eating++;
eats:  assert(eating <= N / 2);         /* two forks for each who eats */
       eating--;
       taken[right] = false;
       taken[left] = false
    od
}

ltl someone_eats { []<> (eating > 0) }
ltl first_eats   { []<> philosopher[0]@eats }
