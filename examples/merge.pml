/*
 * Workers that compute on their own and tell the sum to a collector. What a
 * worker does between two messages nobody else sees: with merging it is made
 * at once with the message before, on both sides of the rendezvous.
 *
 * expect: safety holds
 * states: 22074 transitions: 73915
 * With `--reduce merge`: 691 states, 1965 transitions.
 */

#define N 3

chan tell = [0] of { byte };
byte sum;

active [N] proctype worker()
{
    byte i, own;

    do
    :: i < 4 ->
       own = own + i;
       i++
    :: else ->
       break
    od;
    if
    :: own % 2 == 0 -> own = own / 2
    :: else -> own = 3 * own
    fi;
    tell!own;
    i = 0;
    own = 0
}

active proctype collector()
{
    byte got, n;

    do
    :: n < N ->
       tell?got;
       n++;
       got = got + 1;
       sum = sum + got
    :: else ->
       break
    od;
    assert(sum == N * 4)
}
