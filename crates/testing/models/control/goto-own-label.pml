/*
 * A goto to itself is a loop that does nothing.
 *
 * refused
 */
active proctype P() {
l:	goto l
}
