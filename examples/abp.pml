/*
 * The alternating bit protocol over channels that lose messages.
 *
 * The sender repeats a message until its acknowledgement comes back, then goes
 * on to the next one and flips the bit that travels with it. The receiver
 * acknowledges whatever it hears, and delivers a message only if its bit is
 * the one that it waits for. The thief makes the channels lossy: it may take
 * any message out of either of them, at any time.
 *
 * The assertion says that messages are delivered in order, none missing, none
 * twice. `progress` is violated, since the thief may steal everything. It
 * holds on the runs that matter: `fair_loss` says that if both sides keep on
 * hearing something, there is progress. abp-wrong.pml shows why the
 * acknowledgements need the bit as well.
 *
 * expect: safety holds
 * states: 1944 transitions: 6457
 * ltl progress: violated
 * ltl fair_loss: holds
 */

#define KINDS 3                         /* messages are numbered 0 1 2 0 1 2 ... */

chan data = [2] of { byte, bit };       /* message, its bit */
chan acks = [2] of { bit };

active proctype sender()
{
    byte message;
    bit mine, heard;

    do
    :: data!message,mine                /* send, or send again */
    :: acks?heard ->
acked: if
       :: heard == mine ->
          mine = 1 - mine;
          message = (message + 1) % KINDS
       :: else                          /* an old one: ignore it */
       fi
    od
}

active proctype receiver()
{
    byte message, expected;
    bit wanted, heard;

    do
    :: data?message,heard ->
arrived:
       if
       :: heard == wanted ->
deliver:  assert(message == expected);
          expected = (expected + 1) % KINDS;
          wanted = 1 - wanted
       :: else                          /* seen before: only acknowledge */
       fi;
       acks!heard
    od
}

active proctype thief()
{
    do
    :: data?_,_
    :: acks?_
    od
}

ltl progress  { []<> receiver@deliver }
ltl fair_loss { ([]<> sender@acked && []<> receiver@arrived) -> []<> receiver@deliver }
