/*
 * A machine that warms up, and then works. While it warms up, its heater must not
 * get too hot; when it works, two tools count their pieces, and nothing that is
 * asserted is looked at any more, nor can anything be stuck: no state of that part of
 * the space is expanded.
 *
 * expect: safety holds
 * states: 15161 transitions: 30290
 * With `--reduce boring`: 35 states, 34 transitions.
 */

byte heat, pieces[2];
bit on;
bool works;

active proctype heater()
{
    do
    :: heat < 5 && !on -> on = 1
    :: on -> heat++; on = 0; assert(heat <= 5)
    :: heat == 5 -> break
    od;
    works = true
}

active [2] proctype tool()
{
    works;
    do
    :: pieces[_pid - 1] < 60 -> pieces[_pid - 1]++
    :: else -> pieces[_pid - 1] = 0
    od
}
