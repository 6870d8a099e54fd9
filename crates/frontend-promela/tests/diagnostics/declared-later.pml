active proctype P() {
  x = 1;
  int x;
  x = 2
}
