int x;
mtype = { a, b, a };
active proctype P(byte q) {
  int x;
  { int y };
  { int y };
  int q;
L: skip;
L: skip
}
proctype P() { skip }
