/*
 * An atomic sequence that loses control at a choice.
 *
 * states: 12 transitions: 16
 * faults: none
 */
byte x, y;
active proctype P() { atomic { x = 1; if :: y == 1 -> x = 2 :: y == 2 -> x = 3; x = 4 fi; x = 5 } }
active proctype Q() { y = 1; y = 2 }
