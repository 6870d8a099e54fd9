/*
 * A process that waits for timeout in its provided clause moves where nothing else can.
 *
 * states: 3 transitions: 2
 * faults: none
 */
active proctype P() provided (timeout) { skip }
