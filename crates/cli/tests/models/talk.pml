/* Everything a trace can show: creation, output, rendezvous, channels, atomic, d_step, ends. */
mtype = { req, ack };
chan c = [0] of { mtype, byte };
chan q = [2] of { byte };
byte x, y;

proctype worker(byte n)
{
    byte l = 3;
    atomic { x = N; l++; printf("hello %d\n", n) };
    c!req(l);
    d_step { x = 2; y = 3; x = x + y };
    q!1;
    q!2
}

proctype reader()
{
    mtype m;
    byte v;
    c?m(v);
    q?v;
    q?v
}

init
{
    atomic { run worker(5); run reader() };
    (_nr_pr == 1) -> assert(y == 0)
}
