mtype = { req, ack };
chan c = [0] of { mtype, byte };
chan q = [2] of { byte };
byte x, y;
proctype P(byte n) {
  byte l = 3;
  atomic { x = 1; l++; printf("hello %d\n", n) };
  c!req(l);
  d_step { x = 2; y = 3; x = x + y };
  if :: x > 100 -> skip :: else -> y = 9 fi;
  q!1; q!2;
  do :: y > 11 -> break :: y <= 11 -> y++ od
}
proctype R() { mtype m; byte v; c?m(v); q?v; q?v; (v == 2); assert(y < 10) }
init { atomic { run P(5); run R() } ; (_nr_pr == 1) -> assert(false) }
