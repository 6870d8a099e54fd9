/*
 * A d_step that cannot begin inside atomic: control is lost.
 *
 * states: 11 transitions: 14
 * faults: none
 */
byte x, y;
active proctype P() { atomic { x = 1; d_step { y == 1; x = 3 }; x = 4 }; x = 5 }
active proctype Q() { y = 1 }
