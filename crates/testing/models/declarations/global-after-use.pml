/*
 * A global variable may be declared after the process that uses it only if the text before does not need it.
 *
 * states: 6 transitions: 5
 * faults: none
 */
proctype Q() { skip }
byte x;
init { x = 1; run Q() }
