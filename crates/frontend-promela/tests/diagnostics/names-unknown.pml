byte x;
active proctype P() {
  x = y + 1;
  xx++;
  if
  :: x == 1 -> goto don
  fi;
done: skip
}
