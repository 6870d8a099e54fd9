/*
 * The least int divided by minus one.
 *
 * states: 5 transitions: 4
 * faults: none
 */
int a = -2147483648, n = -1;
active proctype P() { a = a + 1; a = a / n; assert(a == 2147483647) }
