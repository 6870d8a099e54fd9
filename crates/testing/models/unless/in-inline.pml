/*
 * An escape inside an inline.
 *
 * states: 37 transitions: 55
 * faults: none
 */
byte x, y;
inline f(n) { { x = n; x = n + 1 } unless { y == n; x = 0 } }
active proctype P() { f(1); f(2) }
active proctype Q() { y = 1; y = 2 }
