/*
 * A barrier that can be used again: nobody starts a round early.
 *
 * N workers go through rounds of work. At the end of each they wait at the
 * barrier until all have come. The last to come resets the counter and flips
 * the colour of the flag, and each waits for the flag to show the colour that
 * it remembers as the next one. (A plain counter is not enough: a fast worker
 * could come round again before the slow ones have noticed.)
 *
 * Rounds are counted modulo 3. The assertion says that while I work, everyone
 * else works in the same round or has still to leave the one before.
 *
 * expect: safety holds
 * states: 6616 transitions: 17400
 */

#ifndef N
#define N 3
#endif

byte arrived;
bit flag;
byte round[N];                          /* modulo 3 */

active [N] proctype worker()
{
    bit colour;
    byte other;
    bool last;

    do
    :: round[_pid] = (round[_pid] + 1) % 3;

       d_step {                         /* work: look around */
           for (other : 0 .. N - 1) {
               assert(round[other] == round[_pid] ||
                      round[other] == (round[_pid] + 2) % 3)
           }
           other = 0
       }

       colour = 1 - colour;
       d_step { arrived++; last = (arrived == N) };
       if
       :: last ->
          arrived = 0;
          flag = colour
       :: else ->
          flag == colour
       fi
    od
}
