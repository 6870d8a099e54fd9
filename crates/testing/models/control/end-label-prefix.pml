/*
 * Every label that begins with end is an end label.
 *
 * states: 1 transitions: 0
 * faults: invalid-end-state
 */
byte x;
active proctype P() { endless: x == 2 }
active proctype Q() { end2: x == 3 }
active proctype R() { the_end: x == 4 }
