active proctype P() {
  atomic { L: skip };
  d_step { M: skip };
  { N: skip };
  break;
  goto nowhere
}
