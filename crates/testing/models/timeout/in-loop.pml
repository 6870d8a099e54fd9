/*
 * timeout in a loop makes progress again and again.
 *
 * states: 4 transitions: 4
 * faults: none
 */
byte x;
active proctype P() { do :: timeout -> x = 1 - x od }
active proctype Q() { do :: x == 1 -> x = 0 od }
