active proctype P() {
  do
  :: skip
}
