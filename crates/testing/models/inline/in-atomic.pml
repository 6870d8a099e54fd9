/*
 * A call inside atomic.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
inline f(n) { x = n; x++ }
active proctype P() { atomic { f(1); f(5) }; x = 9 }
active proctype Q() { x = 20 }
