/*
 * A hidden variable is not part of the state: states that differ only in it are the same.
 *
 * states: 4 transitions: 4
 * faults: none
 */
hidden byte h;
byte x;
active proctype P() {
	if :: h = 1 :: h = 2 fi;
	x = 1
}
