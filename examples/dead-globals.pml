/*
 * A buffer of one place that two writers and a reader take turns at, and a log
 * that is emptied without being read. What the buffer holds after it was read,
 * and what is in the log, nobody looks at: such globals and messages are dead.
 *
 * expect: safety holds
 * states: 1621 transitions: 3740
 * With `--reduce dead-globals`: 361 states, 932 transitions.
 */

mtype = { idle, filled };

mtype turn = idle;
byte buffer;
chan log = [2] of { byte };

active [2] proctype writer()
{
    do
    :: atomic { turn == idle; buffer = 1 + _pid; turn = filled; log!buffer }
    :: atomic { turn == idle; buffer = 3 + _pid; turn = filled; log!buffer }
    od
}

active proctype reader()
{
    byte got;

    do
    :: atomic { turn == filled; got = buffer };
       assert(got > 0 && got < 5);
       got = 0;
       turn = idle
    od
}

active proctype keeper()
{
    do
    :: log?_
    od
}
