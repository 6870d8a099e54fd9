/*
 * A run with too few arguments.
 *
 * refused
 */
proctype Q(byte a, b) { assert(b == 0) }
init { run Q(3) }
