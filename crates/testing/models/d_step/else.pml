/*
 * else inside d_step.
 *
 * states: 10 transitions: 10
 * faults: none
 */
byte x;
active proctype P() { d_step { x++; if :: x == 3 -> x = 5 :: else -> x = 6 fi; if :: x == 6 :: else -> x = 0 fi } }
active proctype Q() { x = 2 }
