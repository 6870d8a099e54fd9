/*
 * A choice with an escape, without braces around it.
 *
 * states: 22 transitions: 33
 * faults: none
 */
byte x, y;
active proctype P() { if :: x = 1; x = 2 :: x = 3 fi unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
