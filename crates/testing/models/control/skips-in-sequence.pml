/*
 * Skips in a sequence are steps.
 *
 * states: 16 transitions: 23
 * faults: none
 */
byte x;
active proctype P() { skip; skip; x = 1; skip }
active proctype Q() { skip }
