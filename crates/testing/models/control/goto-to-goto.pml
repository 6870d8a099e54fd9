/*
 * A chain of gotos.
 *
 * states: 15 transitions: 18
 * faults: none
 */
byte x;
active proctype P() {
	x = 1;
	goto a;
b:	goto c;
a:	goto b;
c:	x = 3
}
active proctype Q() { x = 4 }
