/*
 * A loop with choices inside atomic: more than 43 million ways, 33 ends. Spin counts the ways, here the ends are counted.
 *
 * states: any transitions: any
 * faults: none
 */
byte i, x;
active proctype P() { atomic { do :: i < 16 -> if :: x = x + 1 :: x = x + 2 :: skip fi; i++ :: else -> break od } }
