/*
 * A goto after another statement is not a step of its own.
 *
 * states: 10 transitions: 13
 * faults: none
 */
byte x;
active proctype P() {
	x = 1;
	goto l;
	x = 2;
l:	x = 3
}
active proctype Q() { skip }
