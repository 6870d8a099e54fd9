/*
 * active [n] creates n processes of a kind.
 *
 * states: 15 transitions: 24
 * faults: none
 */
byte x;
active [3] proctype P() { x = x + _pid }
