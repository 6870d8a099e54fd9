/*
 * assert is a step that is always executable.
 *
 * states: 17 transitions: 23
 * faults: assertion@8
 */
byte x;
active proctype P() { if :: assert(x == 0) :: x == 1 -> x = 2 fi; x = 3 }
active proctype Q() { x = 1 }
