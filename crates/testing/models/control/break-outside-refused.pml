/*
 * break outside of a loop is refused.
 *
 * refused
 */
active proctype P() { if :: break fi }
