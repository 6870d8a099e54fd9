/* Two assertions that can fail, and an end state that is not valid. */
byte x;

active proctype a()
{
    if
    :: x++; assert(x == 0)
    :: x = 2; assert(x == 3)
    :: x = 3; (x == 4)
    fi
}
