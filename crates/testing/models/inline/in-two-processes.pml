/*
 * The same inline in two processes.
 *
 * states: 16 transitions: 20
 * faults: none
 */
byte x;
inline f(n) { byte t = n; x = t }
active proctype P() { f(2) }
active proctype Q() { f(3) }
