/*
 * select as the first statement of an option.
 *
 * states: 8 transitions: 10
 * faults: none
 */
byte x;
active proctype P() { if :: select (x : 1 .. 3) :: x == 0 -> x = 9 fi; x = 4 }
