/* Four thousand million states: only a limit or the user stops it. */
int x;
active proctype p() { do :: x++ :: x == -1 -> break od }
