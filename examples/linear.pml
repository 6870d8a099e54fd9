/*
 * The alternating bit protocol, for what counts modulo 2 and modulo 4 only.
 *
 * Nothing asks whether a bit is 0 or 1: bits are copied, flipped, sent, and
 * compared with each other. So a state is as good as the one in which all bits
 * are flipped, those of the messages on their way included; and the numbers of
 * messages may all be shifted by one, modulo 4.
 *
 * expect: safety holds
 * states: 450 transitions: 1179
 * With `--reduce linear`: 107 states, 282 transitions. Of the bits alone
 * (-DKINDS=1) `--reduce dead` leaves 214 states, `--reduce dead,linear` 107.
 */

#ifndef KINDS
#define KINDS 4                         /* with 1 there are bits only */
#endif

chan data = [1] of { byte, bit };       /* message, its bit */
chan acks = [1] of { bit };

active proctype sender()
{
    byte message;
    bit mine, heard;

    do
    :: data!message,mine
    :: acks?heard ->
       if
       :: heard == mine ->
          mine = 1 - mine;
          message = (message + 1) % KINDS
       :: else
       fi
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
