/*
 * Stations that wait a different while before they ask for a bus. To wait is
 * to count, which nobody else sees: with merging all rounds of such a loop
 * are one step, whose result is known without counting.
 *
 * expect: safety holds
 * states: 89294 transitions: 316995
 * With `--reduce merge`: 270 states, 653 transitions.
 */

#define N 3

byte owner, served;

active [N] proctype station()
{
    byte i, ticks;

    for (i : 1 .. 6) {
        ticks = ticks + 2
    }
    do
    :: ticks > 5 -> ticks = ticks - 3
    :: else -> break
    od;
    atomic { owner == 0; owner = _pid + 1 };
    served = served + ticks;
    owner = 0
}

active proctype watch()
{
    assert(served <= 3 * 5)
}
