/*
 * A guard with the constant 1 is a skip.
 *
 * states: 28 transitions: 46
 * faults: none
 */
byte x;
active proctype P() { true; 1; x = 1; if :: 1 -> x = 2 :: true; true fi; x = 3 }
active proctype Q() { skip }
