/*
 * An end label in front of the guard of the second option.
 *
 * states: 2 transitions: 1
 * faults: none
 */
chan c = [0] of { byte }; byte y;
active proctype P() {
	c!1
}
active proctype Q() {
	do
	:: c?3 -> skip
	:: end1: c?y
	od
}
