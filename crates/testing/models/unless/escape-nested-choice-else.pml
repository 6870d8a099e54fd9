/*
 * An escape that begins with nested choices.
 *
 * states: 46 transitions: 62
 * faults: none
 */
byte x, y;
active proctype P() { { x = 1; x = 2 } unless { if :: if :: y == 1 -> x = 5 :: y == 2 -> x = 6 fi :: y == 3 -> x = 7 fi } }
active proctype Q() { y = 1; y = 2; y = 3 }
