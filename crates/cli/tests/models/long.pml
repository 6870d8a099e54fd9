/* A run of 2 N + 3 steps to a failed assertion, and a statement that macros make very long. */
#ifndef N
#define N 6000
#endif
#define E0 (x + x)
#define E1 (E0 + E0)
#define E2 (E1 + E1)
#define E3 (E2 + E2)
#define E4 (E3 + E3)
#define E5 (E4 + E4)
#define E6 (E5 + E5)

int n;
int x;

active proctype p()
{
	do
	:: n < N -> n++
	:: else -> break
	od;
	x = E6;
	assert(n == 0)
}
