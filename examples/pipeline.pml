/*
 * A pipeline with exclusive channels: `xr` and `xs`.
 *
 * Numbers run through STAGES processes, each of which adds one. Every channel
 * has one process that sends and one that receives, and the model says so:
 * `xs out` promises that only this process sends to the channel, `xr in` that
 * only this one receives. The promises are checked, and they pay: a send and a
 * receive at the two ends of a channel do not disturb each other, so a reduced
 * search needs to try them in one order only. Compare the counts of a search
 * with and without reduction.
 *
 * expect: safety holds
 * states: 33614 transitions: 137185
 */

#ifndef STAGES
#define STAGES 4
#endif
#ifndef NUMBERS
#define NUMBERS 6
#endif

chan link[STAGES + 1] = [2] of { byte };

proctype stage(chan in, out)
{
    byte x;

    xr in;
    xs out;

end:
    do
    :: in?x -> out!(x + 1)
    od
}

proctype source(chan out)
{
    byte x;

    xs out;
    for (x : 1 .. NUMBERS) {
        out!x
    }
}

proctype sink(chan in)
{
    byte i, x;

    xr in;
    for (i : 1 .. NUMBERS) {
        in?x;
        assert(x == i + STAGES)         /* in order, each stage once */
    }
}

init
{
    byte i;

    atomic {
        for (i : 1 .. STAGES) {
            run stage(link[i - 1], link[i])
        }
        run source(link[0]);
        run sink(link[STAGES])
    }
}
