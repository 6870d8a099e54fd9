#define p (x == 1)
#define always_p ([] (x == 1))
#define INSIDE(n) user[n]@critical
mtype = { red, green };
mtype light = red;
byte x; bool Full, M; bool a[2];
chan q = [2] of { byte };
active [2] proctype user() { byte mine; do :: x = 1 - x; critical: mine++; a[_pid] = true od }
ltl formula { <> p }
