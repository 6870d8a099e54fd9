/*
 * A label on the last statement of an option.
 *
 * states: 13 transitions: 12
 * faults: none
 */
byte x;
active proctype P() { do :: x < 3 -> x++; if :: x == 2 -> goto s :: else fi; x++; s: skip :: x >= 3 -> break od }
