/*
 * A bit parameter.
 *
 * states: 5 transitions: 4
 * faults: none
 */
proctype Q(bool b) { assert(b == 0) }
init { run Q(2) }
