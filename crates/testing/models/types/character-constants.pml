/*
 * A character constant is a number.
 *
 * states: 9 transitions: 8
 * faults: none
 */
byte c = 'a';
active proctype P() {
	assert(c == 97);
	assert('0' + 9 == '9');
	assert('\n' == 10);
	c = '\\'; assert(c == 92);
	c = '\t'; assert(c == 9)
}
