/*
 * A server that hands out units of a resource, and keeps a queue of those who wait.
 *
 * A client asks for up to MOST units, waits for them, gives some of them back early if
 * it likes, and the others in the end. Requests are served in their order: one that is too
 * large makes those behind it wait. When units come back, all requests at the head of
 * the queue that can be served are served in a row, a handshake each, inside one
 * `atomic`.
 *
 * expect: safety holds
 * states: 310 transitions: 659
 * scale: -D CLIENTS=5 -D UNITS=5 states: 1114986 transitions: 4706131
 */

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef UNITS
#define UNITS 3
#endif
#ifndef MOST
#define MOST 2                                  /* that a client may ask for */
#endif

chan ask = [0] of { byte, byte };               /* who, how many */
chan give = [0] of { byte };                    /* how many */
chan grant[CLIENTS] = [0] of { byte };
chan queue = [CLIENTS] of { byte, byte };       /* who waits for how many */

byte used;

proctype client(byte me)
{
    byte wanted, held;

    do
    :: atomic {
           select(wanted : 1 .. MOST);
           ask!me,wanted;
           wanted = 0
       };
       atomic {
           grant[me]?held ->
           used = used + held;
           assert(used <= UNITS)
       };
       do
       :: atomic { held > 1 -> used--; held--; give!1 }     /* one less will do */
       :: atomic { used = used - held; give!held; held = 0; break }
       od
    od
}

active proctype server()
{
    byte free = UNITS, who, number;

    do
    :: atomic {
           ask?who,number ->
           if
           :: number <= free && empty(queue) ->
              free = free - number;
              grant[who]!number
           :: number > free || nempty(queue) ->
              queue!who,number
           fi;
           who = 0;
           number = 0
       }
    :: atomic {
           give?number ->
           free = free + number;
           do
           :: nempty(queue) ->
              queue?<who,number>;
              if
              :: number <= free ->
                 queue?who,number;
                 free = free - number;
                 grant[who]!number
              :: else -> break
              fi
           :: empty(queue) -> break
           od;
           who = 0;
           number = 0
       }
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. CLIENTS - 1) {
            run client(i)
        }
        i = 0
    }
}
