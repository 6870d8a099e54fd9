/*
 * run as an argument of run.
 *
 * refused
 */
byte x;
proctype Q(byte n) { x = n }
init { run Q(run Q(3)) }
