inline f(a, b) { a = b }
byte x;
active proctype P() { f(x); g(x) }
