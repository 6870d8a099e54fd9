/*
 * A late declaration in a nested block in an option in atomic.
 *
 * states: 22 transitions: 28
 * faults: none
 */
byte g;
active proctype P() { atomic { if :: g == 0 -> { byte x = 4; g = x } :: else fi }; { short x = -1; g = x } }
active proctype Q() { g = 1 }
