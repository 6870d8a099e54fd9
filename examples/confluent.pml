/*
 * Sensors, each with a filter of its own behind it. What a sensor reads is a
 * choice; how its two readings come through the line and how the filter works
 * on them concerns nobody else, and there is one way to do it: each such step
 * is confluent with whatever the others do.
 *
 * expect: safety holds
 * states: 6578 transitions: 18566
 * With `--reduce por --por confluent`: 1634 states, 1922 transitions; with
 * `confluent-chain` 370 states, 658 transitions.
 */

#define N 3

chan line[N] = [1] of { byte };
byte alarms;

active [N] proctype sensor()
{
    byte low, high;

    if
    :: low = 1; high = 2
    :: low = 1; high = 9
    fi;
    line[_pid]!low;
    line[_pid]!high
}

active [N] proctype filter()
{
    byte low, high;

    line[_pid - N]?low;
    line[_pid - N]?high;
    if
    :: high - low > 5 -> alarms++
    :: else
    fi;
    assert(alarms <= N)
}
