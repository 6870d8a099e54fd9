/*
 * A d_step with many steps.
 *
 * states: 3 transitions: 2
 * faults: none
 */
int x;
active proctype P() { d_step { do :: x < 5000 -> x++ :: else -> break od } }
