/*
 * Dining philosophers who can starve to death, all together.
 *
 * N philosophers sit round a table, one fork between each two. To eat, each
 * takes the fork on the left, then the fork on the right. If all take the left
 * one first, nobody will ever find a right one: a deadlock, which is reported
 * as an invalid end state. philosophers.pml shows a way out.
 *
 * expect: safety violated
 * states: 118 transitions: 340
 */

#ifndef N
#define N 4
#endif

bool taken[N];                          /* taken[i]: fork i is in a hand */

#define left  _pid
#define right ((_pid + 1) % N)

/* Wait for a fork and take it in one step, so that nobody comes between. */
inline take(fork)
{
    atomic { !taken[fork] -> taken[fork] = true }
}

active [N] proctype philosopher()
{
    do
    :: take(left);
       take(right);
       taken[right] = false;            /* has eaten */
       taken[left] = false
    od
}
