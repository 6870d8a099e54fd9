/*
 * A process that waits at an end label may stop there.
 *
 * states: 2 transitions: 1
 * faults: none
 */
byte x;
active proctype P() {
	x = 1;
end:	x == 2;
	x = 3
}
