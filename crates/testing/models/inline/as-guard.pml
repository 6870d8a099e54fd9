/*
 * A call as the first statement of an option.
 *
 * states: 21 transitions: 24
 * faults: none
 */
byte x;
inline ready(n) { x == n; x = n + 5 }
active proctype P() { if :: ready(1) :: ready(2); x = 9 fi }
active proctype Q() { x = 1; x = 2 }
