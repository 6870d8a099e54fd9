/*
 * An end label in front of a sequence with an escape.
 *
 * states: 1 transitions: 0
 * faults: none
 */
byte x;
active proctype P() {
end:	{ x == 3 } unless { x == 4 }
}
