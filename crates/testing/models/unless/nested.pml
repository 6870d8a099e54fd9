/*
 * Escapes around escapes: the inner one has priority when both are executable.
 *
 * states: 26 transitions: 40
 * faults: none
 */
byte x, y;
active proctype P() { { { x = 1; x = 2 } unless { y == 1; x = 8 } } unless { y >= 1; x = 9 }; x = 10 }
active proctype Q() { y = 1; y = 2 }
