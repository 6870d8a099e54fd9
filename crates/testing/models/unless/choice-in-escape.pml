/*
 * A choice at the beginning of the escape.
 *
 * states: 41 transitions: 67
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; x = 2 } unless { if :: y == 1 -> x = 9 :: y >= 1 -> x = 8 fi; x++ }; x = 10 }
active proctype Q() { y = 1; y = 2 }
