/*
 * The alternating bit protocol with bare acknowledgements: wrong.
 *
 * The same as abp.pml, but an acknowledgement does not say what it is for. A
 * message that was sent twice is acknowledged twice, and the sender takes the
 * second acknowledgement for that of the next message, which may be lost. The
 * shortest counterexample is a good exercise: try to find it by hand first.
 *
 * expect: safety violated
 * states: 24699 transitions: 78792
 */

#define KINDS 3

mtype = { ack };

chan data = [2] of { byte, bit };
chan acks = [2] of { mtype };

active proctype sender()
{
    byte message;
    bit mine;

    do
    :: data!message,mine
    :: acks?ack ->                      /* for this message? who knows */
       mine = 1 - mine;
       message = (message + 1) % KINDS
    od
}

active proctype receiver()
{
    byte message, expected;
    bit wanted, heard;

    do
    :: data?message,heard ->
       if
       :: heard == wanted ->
          assert(message == expected);
          expected = (expected + 1) % KINDS;
          wanted = 1 - wanted
       :: else
       fi;
       acks!ack
    od
}

active proctype thief()
{
    do
    :: data?_,_
    :: acks?_
    od
}
