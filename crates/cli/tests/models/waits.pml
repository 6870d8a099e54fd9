bool go;
active proctype waiter() { end: go }
ltl goes { <> go }
