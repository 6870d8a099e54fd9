/*
 * Producers and consumers around a ring buffer with semaphores.
 *
 * Two semaphores count the free places and the items; two locks let one producer
 * put and one consumer take at a time. Each producer numbers its items modulo
 * KINDS. The consumers note which number of each producer comes next: they must
 * come in order.
 *
 * expect: safety holds
 * states: 62682 transitions: 205116
 * scale: -D PRODUCERS=3 -D CONSUMERS=2 states: 1090048 transitions: 4249452
 * scale: -D PRODUCERS=3 -D CONSUMERS=3 states: 12003751 transitions: 57030510
 */

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef SIZE
#define SIZE 2
#endif
#ifndef KINDS
#define KINDS 2
#endif

byte owner[SIZE], item[SIZE];           /* the buffer: whose, and which number */
byte put_at, take_at;
byte places = SIZE, items;              /* semaphores */
bool putting, taking;                   /* mutual exclusion */
byte wanted[PRODUCERS];                 /* the next number of each producer */

#define down(semaphore) d_step { semaphore > 0 -> semaphore-- }
#define up(semaphore)   semaphore++
#define lock(mutex)     d_step { !mutex -> mutex = true }
#define unlock(mutex)   mutex = false

active [PRODUCERS] proctype producer()
{
    byte number;

    do
    :: down(places);
       lock(putting);
       owner[put_at] = _pid;
       item[put_at] = number;
       put_at = (put_at + 1) % SIZE;
       unlock(putting);
       up(items);
       number = (number + 1) % KINDS
    od
}

active [CONSUMERS] proctype consumer()
{
    byte from, number;

    do
    :: down(items);
       lock(taking);
       from = owner[take_at];
       number = item[take_at];
       take_at = (take_at + 1) % SIZE;
       assert(number == wanted[from]);
       wanted[from] = (wanted[from] + 1) % KINDS;
       unlock(taking);
       up(places);
       d_step { from = 0; number = 0 }
    od
}
