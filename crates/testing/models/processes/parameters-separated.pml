/*
 * Parameters are separated by semicolons between types and commas within.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
proctype Q(byte a, b; short c) { x = a + b + c }
init { run Q(1, 2, 3); _nr_pr == 1; assert(x == 6) }
