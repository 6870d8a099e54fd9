/*
 * A loop at the end of an option of a loop.
 *
 * states: 41 transitions: 62
 * faults: none
 */
byte x;
active proctype P() { do :: x < 2 -> do :: x < 4 -> x++ :: x == 4 -> break od :: x == 4 -> break od; x = 9 }
active proctype Q() { x = 1 }
