/*
 * select inside an inline.
 *
 * states: 36 transitions: 35
 * faults: assertion@9
 */
byte x, y;
inline pick(v, a, b) { select (v : a .. b) }
active proctype P() { pick(x, 1, 3); pick(y, 0, 1); assert(x + y < 4) }
