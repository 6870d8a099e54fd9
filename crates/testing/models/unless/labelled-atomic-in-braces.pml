/*
 * A label in front of braces with an escape.
 *
 * states: 20 transitions: 28
 * faults: none
 */
byte x, y;
active proctype P() { l: { atomic { x < 2; x++; goto l } } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { y = 1 }
