/*
 * A model with init only.
 *
 * states: 3 transitions: 2
 * faults: none
 */
init { skip }
