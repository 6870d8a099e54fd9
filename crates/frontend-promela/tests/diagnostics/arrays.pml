int a[3];
int x;
active proctype P() {
  a = 3;
  x[1] = 2;
  a[1].f = 2
}
