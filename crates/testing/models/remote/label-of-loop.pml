/*
 * The label of a loop.
 *
 * states: 34 transitions: 51
 * faults: assertion@9
 */
byte x;
active proctype P() { here: do :: x < 3 -> x++ :: x == 3 -> break od; x = 4 }
active proctype Q() { !P@here; assert(x >= 3 || x > 0) }
