/*
 * Go-back-n: a sliding window over channels that lose messages.
 *
 * The sender may have WINDOW messages on their way before the first of them is
 * acknowledged. Only their number modulo MODULUS travels with them. When it
 * loses patience it goes back and sends the whole window again. The receiver
 * takes messages only in order, and answers with the number it expects next.
 *
 * The payload is the true number, so that the receiver can check what the
 * protocol promises: in order, none missing, none twice. The modulus must be
 * larger than the window: with -D MODULUS=2 an old message is taken for a new
 * one, and the assertion fails.
 *
 * expect: safety holds
 * states: 31090 transitions: 105923
 */

#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef MODULUS
#define MODULUS 3
#endif
#ifndef TOTAL
#define TOTAL 5                         /* messages to deliver */
#endif

chan data = [2] of { byte, byte };      /* number modulo MODULUS, payload */
chan acks = [2] of { byte };            /* number expected next, modulo */

active proctype sender()
{
    byte oldest, next, heard;           /* oldest not acknowledged, next to send */

    do
    :: next < TOTAL && next < oldest + WINDOW ->
       data!(next % MODULUS),next;
       next++
    :: acks?heard ->                    /* confirms all before `heard` */
       oldest = oldest + (heard + MODULUS - oldest % MODULUS) % MODULUS;
       next = (next < oldest -> oldest : next)
    :: oldest < next ->                 /* no patience left: go back */
       next = oldest
    :: oldest == TOTAL ->               /* all arrived */
       break
    od
}

active proctype receiver()
{
    byte expected, number, payload;

end:
    do
    :: data?number,payload ->
       if
       :: number == expected % MODULUS ->
          assert(payload == expected);
          expected++
       :: else                          /* out of order: throw it away */
       fi;
       acks!(expected % MODULUS)
    od
}

active proctype thief()                 /* makes the channels lossy */
{
end:
    do
    :: data?_,_
    :: acks?_
    od
}
