active proctype P() {
  if :: else -> skip :: else -> skip fi
}
