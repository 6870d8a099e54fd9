/*
 * active [0] is refused.
 *
 * states: 3 transitions: 2
 * faults: none
 */
active [0] proctype P() { skip }
active proctype Q() { skip }
