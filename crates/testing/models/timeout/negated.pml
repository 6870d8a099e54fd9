/*
 * The negation of timeout.
 *
 * states: 10 transitions: 13
 * faults: none
 */
byte x;
active proctype P() { !timeout; x = 1 }
active proctype Q() { skip }
