/*
 * else beside timeout.
 *
 * states: 10 transitions: 9
 * faults: none
 */
byte x;
active proctype P() { do :: timeout -> break :: x < 2 -> x++ od; x = 7 }
active proctype Q() { x == 7 }
