/* Four thousand million states, and what is asserted relates two variables: only a limit or the user stops it. */
int x, y;
active proctype p() { do :: atomic { x++; y++ }; assert(x == y) :: x == -1 -> break od }
