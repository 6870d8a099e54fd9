/*
 * Variables that are declared inside an inline are new for every call.
 *
 * states: 9 transitions: 8
 * faults: none
 */
byte x;
inline f(n) { byte t; t = t + n; x = t }
active proctype P() { f(2); f(3); assert(x == 3) }
