/*
 * else beside options that begin with atomic.
 *
 * states: 8 transitions: 10
 * faults: none
 */
byte x;
active proctype P() { do :: atomic { x == 1 -> x = 2; break } :: atomic { else -> x = 4; x = 0 } od; x = 6 }
active proctype Q() { x = 1 }
