/*
 * An end label in front of the guard of an option passes on to the choice.
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
	:: end1: c?y
	:: c?3 -> skip
	od
}
