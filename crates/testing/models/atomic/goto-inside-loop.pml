/*
 * A loop made of a goto inside atomic.
 *
 * states: 7 transitions: 8
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 0; again: x++; if :: x < 3 -> goto again :: else fi; x = 7 } }
active proctype Q() { skip }
