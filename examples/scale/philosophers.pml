/*
 * Dining philosophers whose forks are processes.
 *
 * To take a fork and to lay it down are two rendezvous with it. The last
 * philosopher takes the forks in the other order, so that there is no deadlock.
 * With -D RIGHT_HANDED all take the left one first, and there is one.
 *
 * expect: safety holds
 * states: 206 transitions: 497
 * scale: -D N=11 states: 3355444 transitions: 23395828
 * ltl someone_eats: holds
 * ltl first_eats: violated
 */

#ifndef N
#define N 4
#endif

chan take[N] = [0] of { bit };
chan lay[N] = [0] of { bit };

byte eating;

proctype fork(byte me)
{
end:
    do
    :: take[me]?1 -> lay[me]?1
    od
}

proctype philosopher(byte me, first, second)
{
    do
    :: take[first]!1;
       take[second]!1;
       eating++;
eats:  assert(eating <= N / 2);
       eating--;
       lay[second]!1;
       lay[first]!1
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            run fork(i)
        }
        for (i : 0 .. N - 2) {
            run philosopher(i, i, i + 1)
        }
#ifdef RIGHT_HANDED
        run philosopher(i, i, 0)
#else
        run philosopher(i, 0, i)
#endif
    }
}

/* Someone eats again and again, whatever the scheduler does. */
ltl someone_eats { []<> (eating > 0) }
/* But not everyone does, not even if the scheduler is fair. */
ltl first_eats   { []<> philosopher[N + 1]@eats }
