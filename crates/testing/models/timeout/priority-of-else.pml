/*
 * else in another process is something that can move.
 *
 * states: 4 transitions: 4
 * faults: none
 */
byte x;
active proctype P() { timeout; assert(false) }
active proctype Q() { do :: x == 1 -> x = 0 :: else -> x = 1 od }
