/*
 * else with timeout in the other option is always taken first.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
active proctype P() { if :: timeout -> x = 1 :: else -> x = 2 fi }
