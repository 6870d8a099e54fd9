/*
 * A break in a d_step out of the loop around it.
 *
 * refused
 */
byte x;
active proctype P() { do :: d_step { x == 2 -> x = 3; break } :: x < 2 -> x++ od; x = 5 }
