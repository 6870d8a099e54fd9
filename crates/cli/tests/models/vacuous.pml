/* Formulas that hold; some of them because what they ask for never happens. */
byte x;
bit y;

active proctype counts()
{
	do
	:: x < 3 -> x++
	:: x == 3 -> x = 0
	od
}

active proctype blinks()
{
	do
	:: y = 1 - y
	od
}

#define NINE (x == 9)

ltl answered { [] (NINE -> <> (y == 1)) }
ltl bounded  { [] (NINE && y == 1 -> y == 0) }
ltl nested   { [] (x == 2 -> [] (x == 7 -> <> (y == 1))) }
ltl real     { [] (x == 3 -> x > 0) }
ltl early    { x == 9 -> [] (x == 8 -> x > 0) }
ltl trivial  { [] (x == 9 -> x == 9) }
