/*
 * An expression that is not zero is executable, whatever its value.
 *
 * states: 3 transitions: 2
 * faults: invalid-end-state
 */
int x = -3;
active proctype P() { x; x = 0; x }
