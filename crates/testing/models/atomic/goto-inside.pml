/*
 * A loop made of a goto inside atomic.
 *
 * refused
 */
byte x;
active proctype P() { atomic { again: x++; if :: x < 3 -> goto again :: else fi; x = 7 } }
active proctype Q() { skip }
