/*
 * Macros for types, values, statements and conditions.
 *
 * states: 10 transitions: 9
 * faults: none
 */
#define T byte
#define N 3
#define INC(v) v = v + 1
#define done (x == N)
T x;
active proctype P() { do :: !done -> INC(x) :: done -> break od; assert(x == N) }
