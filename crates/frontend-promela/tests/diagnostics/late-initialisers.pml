active proctype P() {
  skip;
  chan c = [1] of { byte };
  byte a[2] = { 1, 2 }
}
