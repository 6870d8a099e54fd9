/*
 * A provided clause may use _pid.
 *
 * states: 5 transitions: 4
 * faults: none
 */
byte turn;
active [2] proctype P() provided (_pid == turn) { turn = 1 - turn; turn = 1 - turn }
