/* Steps that Spin merges, output without a new line, a d_step with a choice inside, a valid end state, unless. */
byte x, y;
chan c = [0] of { byte };

active proctype sender()
{
    byte i;
    do
    :: i < 2 -> i++; printf("sent"); c!i
    :: i >= 2 -> break
    od;
    atomic { x == 2; if :: y = 1 :: skip fi };
    { do :: x < 9 -> x++ od } unless { x == 4 };
    assert(x == 9)
}

active proctype receiver()
{
    byte v;
end:
    do
    :: c?v; d_step { if :: v > 0 -> x = v :: else -> x = 7 fi; v = 0 }
    od
}
