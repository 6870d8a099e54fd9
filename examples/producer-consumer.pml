/*
 * Producers and consumers who share a ring buffer, with three semaphores.
 *
 * `spaces` and `items` count what is left to fill and to take; `mutex` guards
 * the buffer itself. A semaphore needs only two lines of Promela: wait until
 * it is positive and decrement it in one atomic step; increment it.
 *
 * The assertions say that nobody overwrites an item that was not taken, and
 * that every item is taken exactly once. Swap the first two waits of the
 * producer to see a famous deadlock.
 *
 * expect: safety holds
 * states: 52006 transitions: 167586
 */

#define SIZE      2                     /* places in the buffer */
#define PRODUCERS 2
#define CONSUMERS 2
#define EACH      2                     /* items that each makes, or takes */

byte buffer[SIZE];                      /* 0: an empty place */
byte first, last;                       /* the next to take, the next to fill */

byte spaces = SIZE;
byte items = 0;
byte mutex = 1;

byte taken[PRODUCERS + 1];              /* how many items of each producer */

inline wait(semaphore)
{
    atomic { semaphore > 0 -> semaphore-- }
}

inline signal(semaphore)
{
    semaphore++
}

active [PRODUCERS] proctype producer()
{
    byte made;

    for (made : 1 .. EACH) {
        wait(spaces);
        wait(mutex);
        assert(buffer[last] == 0);
        buffer[last] = _pid + 1;        /* the item bears its maker's number */
        last = (last + 1) % SIZE;
        signal(mutex);
        signal(items)
    }
}

active [CONSUMERS] proctype consumer()
{
    byte count;

    for (count : 1 .. EACH) {
        wait(items);
        wait(mutex);
        assert(buffer[first] != 0);
        taken[buffer[first]]++;
        assert(taken[buffer[first]] <= EACH);
        buffer[first] = 0;
        first = (first + 1) % SIZE;
        signal(mutex);
        signal(spaces)
    }
}
