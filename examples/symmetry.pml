/*
 * Workers that share machines. A worker asks for a machine, the office gives it
 * one that is free, and the worker brings it back when it is done. Nobody cares
 * which worker it is: what one can do, each can. So states that differ only in
 * which worker does what are as good as one.
 *
 * expect: safety holds
 * states: 3404 transitions: 9296
 * With `--reduce symmetry`: 173 states, 510 transitions.
 */

#ifndef N
#define N 4
#endif
#define MACHINES 2

chan requests = [N] of { byte };
chan granted[N] = [1] of { bool };
chan returned = [0] of { byte };
byte working;

active [N] proctype worker()
{
    do
    :: requests!_pid;
       granted[_pid]?true;
       working++;
       assert(working <= MACHINES);
       working--;
       returned!_pid
    od
}

active proctype clerk()
{
    byte who, free = MACHINES;

    do
    :: atomic { free > 0 && nempty(requests) -> requests?who; free-- };
       granted[who]!true
    :: atomic { returned?who; free++ }
    od
}
