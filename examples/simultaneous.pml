/*
 * Pairs of processes that pass a token to and fro over lines of their own. In
 * each pair one process can move at a time, and no pair disturbs another: all
 * pairs move at once, in one transition.
 *
 * expect: safety holds
 * states: 14718 transitions: 45906
 * With `--reduce por --por stubborn`: 162 states, 168 transitions; with
 * `simultaneous` 88 states, 94 transitions.
 */

#define N 3

chan there[N] = [1] of { byte };
chan back[N] = [1] of { byte };
byte finished;

active [N] proctype left()
{
    byte token;

    if
    :: there[_pid]!1
    :: there[_pid]!2
    fi;
    back[_pid]?token;
    there[_pid]!token + 1;
    back[_pid]?token;
    assert(token == 3 || token == 4);
    finished++
}

active [N] proctype right()
{
    byte token;

    there[_pid - N]?token;
    back[_pid - N]!token + 1;
    there[_pid - N]?token;
    back[_pid - N]!token
}
