/*
 * --> is an arrow, also where x-- may have been meant.
 *
 * states: 20 transitions: 25
 * faults: assertion@10
 */
byte x = 1, y;
active proctype P() {
	if :: x == 0 --> y = 1 :: x --> y = (x --> 2 : 3) fi;
	x ---> assert(x)
}
active proctype Q() { y == 2 --> x = 2 }
