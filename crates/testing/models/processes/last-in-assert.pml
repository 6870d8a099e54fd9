/*
 * _last is part of the state where the model uses it.
 *
 * states: 14 transitions: 18
 * faults: none
 */
active proctype P() { skip; skip }
active proctype Q() { assert(_last < 2) }
