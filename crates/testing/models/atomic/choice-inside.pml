/*
 * Every path through a choice inside atomic is a transition of its own.
 *
 * states: 11 transitions: 17
 * faults: none
 */
byte x;
active proctype P() { atomic { if :: x = 1 :: x = 2 :: x = 1 fi; x = x + 10 } }
active proctype Q() { skip }
