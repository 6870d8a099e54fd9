/*
 * A loop around and inside.
 *
 * states: 15 transitions: 20
 * faults: none
 */
byte x;
active proctype P() { atomic { do :: x < 3 -> x++ :: x > 0 -> break od } }
active proctype Q() { skip }
