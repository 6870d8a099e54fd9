/*
 * A D_proctype whose guards exclude each other.
 *
 * states: 31 transitions: 41
 * faults: none
 */
byte x;
active D_proctype P() { do :: x == 0 -> x = 1 :: x == 1 -> x = 3 :: x == 4 -> x = 9 :: else -> break od }
active proctype Q() { x = 4 }
