/*
 * A choice in the main sequence.
 *
 * states: 42 transitions: 72
 * faults: none
 */
byte x, y;
active proctype P() { { if :: x = 1 :: x = 2; x = 3 :: y == 2 fi; x = 4 } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1; y = 2 }
