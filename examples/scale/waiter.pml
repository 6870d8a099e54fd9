/*
 * Dining philosophers with a waiter, who never lets all of them sit at once.
 *
 * Forks are processes. A philosopher takes both in one `atomic`, which is blocked
 * halfway when the second one is taken. After the meal, laying down both forks and
 * leaving the table are three handshakes in a row. When all chairs but one are taken,
 * the waiter stays in the middle of its own sequence until somebody leaves.
 *
 * expect: safety holds
 * states: 2400 transitions: 6553
 * scale: -D N=7 states: 1199410 transitions: 6265533
 * scale: -D N=8 states: 8380720 transitions: 50775473
 */

#ifndef N
#define N 4
#endif

chan enter = [0] of { byte };
chan leave = [0] of { byte };
chan take[N] = [0] of { byte };
chan lay[N] = [0] of { byte };

byte eating;

#define left me
#define right ((me + 1) % N)

proctype fork(byte me)
{
    byte who;

end:
    do
    :: atomic { take[me]?who -> assert(who == me || (who + 1) % N == me) };
       atomic { lay[me]?eval(who) -> who = 0 }
    od
}

proctype philosopher(byte me)
{
end:
    do
    :: enter!me;
       atomic { take[left]!me; take[right]!me; eating++ };
       assert(eating <= N / 2);
       atomic { eating--; lay[right]!me; lay[left]!me; leave!me }
    od
}

active proctype waiter()
{
    byte inside, who;

end:
    do
    :: atomic {
           enter?who ->
           inside++;
           if
           :: inside < N - 1
           :: else -> leave?who; inside--           /* the last chair stays free */
           fi;
           who = 0
       }
    :: atomic { leave?who -> inside--; who = 0 }
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            run fork(i);
            run philosopher(i)
        }
        i = 0
    }
}
