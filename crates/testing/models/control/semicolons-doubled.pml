/*
 * Semicolons may be doubled, and stand after the last statement.
 *
 * states: 6 transitions: 5
 * faults: none
 */
byte x;
active proctype P() { x = 1;; x = 2; ; if :: x == 2 -> x = 3; fi; }
