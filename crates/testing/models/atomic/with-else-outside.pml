/*
 * else of a choice whose other option begins with atomic.
 *
 * states: 20 transitions: 26
 * faults: none
 */
byte x;
active proctype P() { if :: atomic { x == 1 -> x = 2 } :: else -> x = 4 fi; x = 6 }
active proctype Q() { x = 1 }
