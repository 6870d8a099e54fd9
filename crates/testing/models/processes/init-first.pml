/*
 * init in front of active processes.
 *
 * states: 10 transitions: 13
 * faults: none
 */
init { assert(_pid == 0); skip }
active proctype B() { assert(_pid == 1) }
