/*
 * Each named mtype has numbers of its own.
 *
 * states: 7 transitions: 6
 * faults: none
 */
mtype = { x, y };
mtype:fruit = { apple, pear, plum };
mtype:size = { small, large };
mtype:fruit f = pear;
active proctype P() {
	assert(f == 2);
	assert(apple == 3);
	assert(plum == 1);
	assert(large == 1);
	assert(x == 2)
}
