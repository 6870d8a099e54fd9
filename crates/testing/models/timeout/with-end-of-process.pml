/*
 * A process that can end is something that can move.
 *
 * states: 6 transitions: 5
 * faults: none
 */
byte x;
active proctype P() { timeout; x = 1 }
active proctype Q() { skip }
