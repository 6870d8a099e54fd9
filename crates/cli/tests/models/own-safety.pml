/* Its own properties are called like built-in sets. The assertion fails; the formula `safety` holds, `progress` does not. */
byte x;

active proctype p()
{
	x = 1;
	assert(x == 0)
}

ltl safety   { [] (x < 2) }
ltl progress { [] (x == 0) }
