/*
 * An end label in front of a d_step.
 *
 * states: 2 transitions: 1
 * faults: none
 */
byte x;
active proctype P() {
	x = 1;
end:	d_step { x == 5; x = 6 }
}
