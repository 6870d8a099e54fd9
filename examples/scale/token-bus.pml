/*
 * A token bus: stations on one wire, and the token that says who may talk.
 *
 * The stations form a ring in their order, and only the one that holds the token
 * sends: up to TURN frames, each to any other station, which takes it unless it is
 * still busy with the last one; the answer comes at once. Then the token goes to the
 * next station in the ring. A station with nothing to send leaves the ring, and
 * comes back when it has something. It listens all the time.
 *
 * Sender and receiver of a frame meet twice, inside `atomic` on both sides: the
 * second handshake gives control back to the sender, and the receiver is left in the
 * middle of its sequence.
 *
 * expect: safety holds
 * states: 2104 transitions: 5160
 * scale: -D N=3 -D QUEUE=2 -D TURN=2 states: 1295628 transitions: 4635900
 * scale: -D N=3 -D QUEUE=4 -D TURN=2 states: 7053756 transitions: 25675860
 */

#ifndef N
#define N 2
#endif
#ifndef QUEUE
#define QUEUE 1                         /* frames that a station may have to send */
#endif
#ifndef TURN
#define TURN 1                          /* frames that it may send with one token */
#endif

chan token[N] = [0] of { bit };
chan frame[N] = [0] of { byte };        /* from whom */
chan reply[N] = [0] of { bit };         /* taken, or too busy */

bool in_ring[N] = true;
byte tokens = 1;

#define me _pid

active [N] proctype station()
{
    byte waiting, left, other;
    bool holding = (me == 0), busy, taken;

    do
    :: waiting < QUEUE -> waiting++
    :: busy -> busy = false
    :: atomic {
           frame[me]?other ->
           assert(other != me);
           reply[other]!(!busy);
           busy = true;
           other = 0
       }
    :: atomic {
           token[me]?1 ->
           assert(!holding);
           holding = true;
           tokens++;
           left = TURN
       }
    :: atomic {
           holding && waiting > 0 && left > 0 ->
           select(other : 0 .. N - 2);
           other = (me + 1 + other) % N;
           frame[other]!me;
           reply[me]?taken;
           waiting = (taken -> waiting - 1 : waiting);
           left--;
           taken = false;
           other = 0
       }
    :: atomic {
           holding && (waiting == 0 || left == 0) ->
           other = (me + 1) % N;
           do
           :: other != me && !in_ring[other] -> other = (other + 1) % N
           :: else -> break
           od;
           assert(tokens == 1);
           if
           :: other == me -> left = TURN
           :: else ->
              holding = false;
              tokens--;
              left = 0;
              token[other]!1
           fi;
           other = 0
       }
    :: atomic { !holding && waiting == 0 && in_ring[me] -> in_ring[me] = false }
    :: atomic { !in_ring[me] && waiting > 0 -> in_ring[me] = true }
    od
}
