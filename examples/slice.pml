/*
 * A sender and a receiver count what they send and receive, a clock ticks, and a
 * log is written. The assertion is about the messages only: neither the clock nor
 * the log nor the counts can influence it.
 *
 * expect: safety holds
 * states: 14112 transitions: 45216
 * With `-p assertions --reduce slice`: 52 states, 88 transitions.
 */

chan line = [1] of { bit };
chan log = [2] of { byte };
byte hour, sent, received;

active proctype sender()
{
    bit next;

    do
    :: line!next;
       next = 1 - next;
       sent = (sent + 1) % 8
    od
}

active proctype receiver()
{
    bit got, expected;

    do
    :: line?got;
       assert(got == expected);
       expected = 1 - expected;
       received = (received + 1) % 8
    od
}

active proctype clock()
{
    do
    :: hour = (hour + 1) % 12;
       log!hour
    od
}

active proctype printer()
{
    byte what;

    do
    :: log?what
    od
}
