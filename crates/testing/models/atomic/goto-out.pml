/*
 * A goto out of an atomic sequence ends it.
 *
 * states: 23 transitions: 34
 * faults: none
 */
byte x;
active proctype P() { atomic { x = 1; if :: goto out :: x = 2 fi; x = 3 }; x = 4; out: x = 5 }
active proctype Q() { x = 9 }
