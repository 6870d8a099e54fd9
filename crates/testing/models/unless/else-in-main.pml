/*
 * else in a choice of the main sequence while the escape can or cannot be taken.
 *
 * states: 35 transitions: 54
 * faults: none
 */
byte x, y;
active proctype P() { { if :: y == 1 -> x = 1 :: else -> x = 2 fi; x = 4 } unless { y == 2; x = 9 }; x = 10 }
active proctype Q() { y = 1; y = 2 }
