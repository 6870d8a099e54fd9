/*
 * Readers and writers: many may read at once, a writer must be alone.
 *
 * The rule is in the two guards: to test it and to step in is one atomic step.
 * `exclusive` holds. `writer_enters` does not: as long as some reader is
 * always inside, a writer waits, and even a fair scheduler does not help it.
 * Can you change the guards so that a waiting writer stops new readers?
 *
 * expect: safety holds
 * states: 31 transitions: 87
 * ltl exclusive: holds
 * ltl writer_enters: violated
 */

#define READERS 3
#define WRITERS 2

byte reading, writing;                  /* how many are inside */

active [READERS] proctype reader()
{
    do
    :: atomic { writing == 0 -> reading++ };
       assert(writing == 0);
       reading--
    od
}

active [WRITERS] proctype writer()
{
    do
    :: atomic { reading == 0 && writing == 0 -> writing++ };
       assert(reading == 0 && writing == 1);
       writing--
    od
}

ltl exclusive     { [] (writing == 0 || (writing == 1 && reading == 0)) }
ltl writer_enters { []<> (writing > 0) }
