/*
 * true, false, skip in expressions; bool and bit are the same.
 *
 * states: 7 transitions: 6
 * faults: none
 */
bool b = true;
active proctype P() {
	b; assert(b == 1);
	b = false; !b;
	assert(true + true == 2)
}
