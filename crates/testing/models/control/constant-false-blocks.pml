/*
 * A constant that is false blocks.
 *
 * states: 2 transitions: 1
 * faults: invalid-end-state
 */
byte x;
active proctype P() { x = 1; false; x = 2 }
