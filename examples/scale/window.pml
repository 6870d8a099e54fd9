/*
 * A sliding window with selective repeat, over channels that lose messages.
 *
 * The sender has up to WINDOW messages on their way at a time, and may repeat
 * those that are not acknowledged. The receiver keeps messages that come
 * early, and acknowledges each by its number. Only numbers modulo MODULUS
 * travel. The modulus must be at least twice the window: with -D MODULUS=3 an
 * old message is taken for a new one, and an assertion fails.
 *
 * The thief takes away at most LOSSES messages and acknowledgements. The
 * payload is the true number, for the assertion.
 *
 * expect: safety holds
 * states: 24163 transitions: 64400
 * scale: -D TOTAL=6 -D WINDOW=3 -D CAPACITY=3 states: 1567584 transitions: 4228128
 * scale: -D TOTAL=8 -D WINDOW=3 -D CAPACITY=4 -D LOSSES=3 states: 25343343 transitions: 74865427
 * ltl arrives: holds
 * ltl in_step: violated
 */

#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef MODULUS
#define MODULUS (2 * WINDOW)
#endif
#ifndef TOTAL
#define TOTAL 3                         /* messages to deliver */
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
#ifndef LOSSES
#define LOSSES 2
#endif

chan data = [CAPACITY] of { byte, byte };       /* number modulo MODULUS, payload */
chan acks = [CAPACITY] of { byte };             /* number modulo MODULUS */

byte oldest;                            /* the first that is not acknowledged */
byte delivered;                         /* to the user, in order */

/* The place in a window that starts at `first` of what has this number. */
#define offset(number, first) ((number + MODULUS - (first) % MODULUS) % MODULUS)

active proctype sender()
{
    byte next, again, heard, i;         /* next to send, next to repeat */
    bool acked[WINDOW];                 /* of oldest, oldest + 1, ... */

    do
    :: nfull(data) && next < TOTAL && next < oldest + WINDOW ->
       data!(next % MODULUS),next;
       next++
    :: nfull(data) && oldest < next ->  /* repeat what has no answer, in turn */
       if
       :: !acked[again] -> data!((oldest + again) % MODULUS),(oldest + again)
       :: acked[again]
       fi;
       again = (oldest + again + 1 < next -> again + 1 : 0)
    :: acks?heard ->
       d_step {
           heard = offset(heard, oldest);
           if
           :: heard < next - oldest -> acked[heard] = true
           :: else                      /* an old one */
           fi;
           do
           :: acked[0] ->               /* the window moves */
              for (i : 1 .. WINDOW - 1) {
                  acked[i - 1] = acked[i]
              }
              acked[WINDOW - 1] = false;
              again = 0;
              oldest++
           :: else -> break
           od;
           heard = 0;
           i = 0
       }
    :: oldest == TOTAL ->
       break
    od;
end:
    do
    :: acks?_                           /* for what was sent twice */
    od
}

active proctype receiver()
{
    byte number, payload, i;
    bool early[WINDOW];                 /* has delivered + i come? */
    byte kept[WINDOW];

end:
    do
    :: data?number,payload ->
       d_step {
           i = offset(number, delivered);
           if
           :: i < WINDOW ->
              assert(payload == delivered + i);
              early[i] = true;
              kept[i] = payload
           :: else                      /* seen before */
           fi;
           do
           :: early[0] ->
              assert(kept[0] == delivered);
              for (i : 1 .. WINDOW - 1) {
                  early[i - 1] = early[i];
                  kept[i - 1] = kept[i]
              }
              early[WINDOW - 1] = false;
              kept[WINDOW - 1] = 0;
              delivered++
           :: else -> break
           od;
           payload = 0;
           i = 0
       }
       acks!number;
       number = 0
    od
}

active proctype thief()
{
    byte stolen;

end:
    do
    :: d_step { stolen < LOSSES && nempty(data) -> data?_,_; stolen++ }
    :: d_step { stolen < LOSSES && nempty(acks) -> acks?_; stolen++ }
    od
}

/* Everything arrives, since not everything is stolen. */
ltl arrives { <> (delivered == TOTAL) }
/* The sender does not learn of each delivery before the next: that is what a window is for. */
ltl in_step { [] (delivered == 1 -> <> (delivered == 1 && oldest == 1)) }
