/*
 * A process that consists of skip.
 *
 * states: 3 transitions: 2
 * faults: none
 */
active proctype P() { skip }
