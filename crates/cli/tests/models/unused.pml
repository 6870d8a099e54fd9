/* A branch that is never taken, and a process that never runs. */
byte x;

proctype idle() { x = 9 }

active proctype main()
{
    do
    :: x < 3 -> x++
    :: x > 5 -> x = 0
    :: x == 3 -> break
    od
}
