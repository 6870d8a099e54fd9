/*
 * A main sequence that creates a process.
 *
 * states: 20 transitions: 28
 * faults: none
 */
byte x, y;
proctype Q() { y = 1 }
active proctype P() { { run Q(); x = 2; x = 3 } unless { y == 1; x = 9 }; x = 10 }
