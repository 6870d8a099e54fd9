/*
 * An option that is a sequence with an escape.
 *
 * states: 58 transitions: 104
 * faults: none
 */
byte x, y;
active proctype P() { if :: { x == 1; x = 2 } unless { y == 1; x = 3 } :: x == 0 -> x = 4 fi; x = 10 }
active proctype Q() { y = 1 }
active proctype R() { x = 1 }
