/*
 * C code inside the model is not supported.
 *
 * refused
 */
byte x;
active proctype P() { c_code { now.x = 1; } }
