/*
 * select with bounds that are not constants counts upward step by step.
 *
 * states: 39 transitions: 60
 * faults: none
 */
byte x, n = 3;
active proctype P() { select (x : 1 .. n); assert(x >= 1 && x <= 3) }
active proctype Q() { skip }
