/*
 * An escape that begins with a block and a loop.
 *
 * states: 25 transitions: 33
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; x = 2 } unless { do :: y == 1 -> y = 2 :: y == 2 -> break od; x = 9 } }
active proctype Q() { y = 1 }
