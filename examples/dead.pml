/*
 * A server and its clients. A client asks with a number it has chosen, and
 * forgets it when the answer has come; the server forgets whom it has served.
 * What they have forgotten is dead: nobody reads it before it is written again.
 *
 * expect: safety holds
 * states: 15190 transitions: 36126
 * With `--reduce dead`: 868 states, 2060 transitions.
 */

#define N 2

mtype = { ask, answer };

chan requests = [N] of { mtype, byte, byte };
chan replies[N] = [1] of { mtype, byte };
byte served;

active [N] proctype client()
{
    byte mine, got;

    do
    :: select(mine : 1 .. 3);
       requests!ask(_pid, mine);
       replies[_pid]?answer(got);
       assert(got == mine + 1)
    od
}

active proctype server()
{
    byte who, what;

    do
    :: requests?ask(who, what);
       replies[who]!answer(what + 1);
       served = (served + 1) % 2
    od
}
