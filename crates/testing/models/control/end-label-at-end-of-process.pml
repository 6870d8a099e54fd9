/*
 * An end label at the very end.
 *
 * states: 4 transitions: 3
 * faults: none
 */
byte x;
active proctype P() {
	if :: x == 0 -> goto end :: x == 1 fi;
	x = 2;
end:
}
