/*
 * A call inside d_step.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
inline f(n) { if :: x == n -> x = 4 :: else -> x = 5 fi }
active proctype P() { d_step { f(0); f(4) }; x = 9 }
active proctype Q() { x = 20 }
