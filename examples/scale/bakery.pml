/*
 * Lamport's bakery for N customers, with numbers up to LARGEST.
 *
 * A customer reads the numbers on display one by one, takes one more than the
 * largest, and waits for everyone with a smaller number, or with the same one and
 * a smaller name. If the numbers have run out, the customer leaves and comes
 * back later. So the model has no end, but finitely many states.
 *
 * expect: safety holds
 * states: 2977 transitions: 5709
 * scale: -D N=4 -D LARGEST=2 states: 14403760 transitions: 54571616
 */

#ifndef N
#define N 2
#endif
#ifndef LARGEST
#define LARGEST 3
#endif

bool choosing[N];
byte number[N];                         /* 0: not in the queue */
byte inside;

/* Customer j is in the queue, and before me. */
#define before_me(j) (number[j] != 0 && \
    (number[j] < number[_pid] || (number[j] == number[_pid] && j < _pid)))

active [N] proctype customer()
{
    byte j, largest;

    do
    :: choosing[_pid] = true;
       for (j : 0 .. N - 1) {
           largest = (number[j] > largest -> number[j] : largest)
       }
       if
       :: largest < LARGEST ->
          number[_pid] = largest + 1;
          largest = 0;
          choosing[_pid] = false;
          for (j : 0 .. N - 1) {
              !choosing[j];
              !before_me(j)
          }
          inside++;
          assert(inside == 1);
          inside--;
          number[_pid] = 0
       :: largest == LARGEST ->         /* no numbers left */
          largest = 0;
          choosing[_pid] = false
       fi;
       j = 0
    od
}
