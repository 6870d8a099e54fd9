/*
 * A token that goes round, and stations that are busy with themselves.
 *
 * Rebuilt in the spirit of the token algorithm in Brim, Černá, Moravec, Šimša,
 * "Under-Approximation Generation using Partial Order Reduction" (2005), Table
 * 2; the paper does not print the model. Whoever has the token may enter. In
 * between a station does something that concerns nobody else, perhaps for ever:
 * a cycle on which a partial order reduction must not stay.
 *
 * Its size is set by -D N=...
 *
 * expect: safety holds
 * states: 30618 transitions: 219429
 * ltl mutex: holds
 * ltl served: violated
 */

#ifndef N
#define N 7
#endif

byte token;
byte inside;

active [N] proctype station()
{
    bit busy;

    do
    :: busy = 1;
       busy = 0
    :: true ->
       token == _pid;
       inside++;
       inside--;
       token = (token + 1) % N
    od
}

ltl mutex { [] (inside <= 1) }
ltl served { []<> (inside == 1) }
