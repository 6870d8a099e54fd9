/*
 * A run with too many arguments.
 *
 * refused
 */
proctype Q(byte a) { skip }
init { run Q(3, 4) }
