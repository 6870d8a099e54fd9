/*
 * A d_step with one statement.
 *
 * states: 20 transitions: 24
 * faults: invalid-end-state
 */
byte x;
active proctype P() { d_step { x = 1 }; d_step { x == 1 }; d_step { skip } }
active proctype Q() { x = 9 }
