/*
 * An escape that begins with a choice with else.
 *
 * states: 30 transitions: 48
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; x = 2 } unless { if :: y == 1 -> x = 9 :: else -> x = 8 fi; x++ }; x = 10 }
active proctype Q() { y = 1; y = 2 }
