/*
 * A loop with an else that does nothing waits actively.
 *
 * states: 8 transitions: 10
 * faults: none
 */
byte x;
active proctype P() { do :: x == 1 -> break :: else od; x = 2 }
active proctype Q() { x = 1 }
