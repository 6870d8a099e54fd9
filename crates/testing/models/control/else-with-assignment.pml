/*
 * else beside an option that is always executable is never taken.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
active proctype P() { if :: x = 1 :: else -> x = 2 fi; assert(x == 1) }
