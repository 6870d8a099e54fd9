/*
 * A break out of a d_step.
 *
 * refused
 */
byte x;
active proctype P() { do :: d_step { x = 3; break } od; x = 5 }
