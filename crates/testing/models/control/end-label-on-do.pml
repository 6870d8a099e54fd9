/*
 * An end label in front of a do.
 *
 * states: 3 transitions: 2
 * faults: none
 */
chan c = [0] of { byte }; byte y;
active proctype P() {
	c!1; c!2
}
active proctype Q() {
end:	do :: c?y od
}
