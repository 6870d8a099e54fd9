/*
 * Two processes that take turns: the example of the slides on ample sets.
 *
 * Strejček, "Partial Order Reduction" (IA159 Formal Verification Methods), the
 * last slides ("Example: code"). P starts P0 and P1; each loops through s (the
 * head of `while true do`), NC (wait for the turn) and CS (give it away). The
 * specification there is that the two are never in CS together.
 *
 * The slides give `turn` no first value, so P begins by choosing one. From then
 * on there are 2 * 6 states; with P's own first state, 13. Drawn with one first
 * state for each value of `turn` instead, the graph has 14.
 *
 * expect: safety holds
 * states: 13 transitions: 20
 * ltl exclusion: holds
 */

bit turn;

proctype P0()
{
s:  do
    :: true ->
NC:    turn == 0;
CS:    turn = 1
    od
}

proctype P1()
{
s:  do
    :: true ->
NC:    turn == 1;
CS:    turn = 0
    od
}

init
{
m:  atomic {
        if
        :: turn = 0
        :: turn = 1
        fi;
        run P0();
        run P1()
    }
}

ltl exclusion { [] !(P0@CS && P1@CS) }
