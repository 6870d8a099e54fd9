/*
 * Readers and writers with a librarian who keeps the order of arrival.
 *
 * Visitors ask by message and wait for a word, which is a rendezvous. The
 * librarian takes the requests in order. A reader is let in when no writer is
 * inside; a writer when nobody is. Requests behind one that has to wait wait as
 * well, so that readers cannot overtake a writer for ever.
 *
 * expect: safety holds
 * states: 2214 transitions: 5639
 * scale: -D READERS=4 -D WRITERS=4 states: 5909704 transitions: 18435429
 * ltl writer_enters: holds
 * ltl company: violated
 */

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
#define N (READERS + WRITERS)

mtype = { to_read, to_write };

chan requests = [N] of { mtype, byte };         /* what, who */
chan welcome[N] = [0] of { bit };
chan goodbye = [0] of { mtype };

byte reading, writing;

active [READERS] proctype reader()
{
    do
    :: requests!to_read,_pid;
       welcome[_pid]?1;
       reading++;
       assert(writing == 0);
       reading--;
       goodbye!to_read
    od
}

active [WRITERS] proctype writer()
{
    do
    :: requests!to_write,_pid;
waits: welcome[_pid]?1;
       writing++;
enters:
       assert(writing == 1 && reading == 0);
       writing--;
       goodbye!to_write
    od
}

active proctype librarian()
{
    byte who, inside;                   /* readers inside */
    mtype what;

    do
    :: requests?what,who ->
       if
       :: what == to_read ->
          welcome[who]!1;
          inside++
       :: what == to_write ->
          do
          :: inside > 0 -> goodbye?to_read; inside--
          :: inside == 0 -> break
          od;
          welcome[who]!1;
          goodbye?to_write
       fi;
       who = 0
    :: goodbye?to_read ->
       inside--
    od
}

/* A writer who asks gets in. */
ltl writer_enters  { [] (writer[READERS]@waits -> <> writer[READERS]@enters) }
/* Readers are not promised company. */
ltl company        { []<> (reading == READERS) }
