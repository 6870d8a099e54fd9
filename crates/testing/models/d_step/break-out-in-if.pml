/*
 * A break out of a d_step in a choice.
 *
 * refused
 */
byte x;
active proctype P() { do :: d_step { x++; if :: x > 2 -> break :: else fi } od; x = 5 }
