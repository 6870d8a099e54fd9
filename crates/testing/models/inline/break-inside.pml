/*
 * A break inside an inline leaves the loop around the call.
 *
 * states: 10 transitions: 9
 * faults: none
 */
byte x;
inline leave(n) { if :: x == n -> break :: else fi }
active proctype P() { do :: leave(3); x++ od; assert(x == 3) }
