/*
 * Lamport's bakery: take a number, the smallest is served first.
 *
 * A customer reads all the numbers on display one by one and takes one more
 * than the largest. Two customers can do so at the same time and get the same
 * number; then the smaller process number goes first. The flag `choosing`
 * tells the others to wait until a number has been taken for good.
 *
 * Numbers grow without limit when the shop never empties, so each customer
 * comes only VISITS times. Try -D N=3 -D VISITS=1 for three customers.
 *
 * expect: safety holds
 * states: 8145 transitions: 15349
 */

#ifndef N
#define N 2
#endif
#ifndef VISITS
#define VISITS 2
#endif

bool choosing[N];
byte number[N];         /* 0: not in the queue */
byte inside;

/* Customer j is in the queue, and before me. */
#define before_me(j) (number[j] != 0 && \
    (number[j] < number[_pid] || (number[j] == number[_pid] && j < _pid)))

active [N] proctype customer()
{
    byte visit, j, largest;

    for (visit : 1 .. VISITS) {
        choosing[_pid] = true;
        largest = 0;
        for (j : 0 .. N - 1) {
            if
            :: number[j] > largest -> largest = number[j]
            :: else
            fi
        }
        number[_pid] = largest + 1;
        choosing[_pid] = false;

        for (j : 0 .. N - 1) {
            !choosing[j];
            !before_me(j)
        }

        inside++;
        assert(inside == 1);
        inside--;
        number[_pid] = 0
    }
}
