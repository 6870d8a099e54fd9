/*
 * enabled(p) is true if process p can move.
 *
 * states: 18 transitions: 19
 * faults: invalid-end-state
 */
byte x;
active proctype P() { x == 1; x = 2 }
active proctype Q() { assert(!enabled(0)); x = 1; enabled(0) -> x = 3 }
