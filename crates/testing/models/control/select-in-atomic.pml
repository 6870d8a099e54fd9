/*
 * select inside atomic.
 *
 * states: 24 transitions: 53
 * faults: none
 */
byte x, n = 3;
active proctype P() { atomic { select (x : 1 .. 3); x++ }; atomic { select (x : 1 .. n); x++ } }
active proctype Q() { skip }
