/*
 * _last before anything has moved.
 *
 * states: 14 transitions: 18
 * faults: assertion@7
 */
active proctype P() { assert(_last == 0); skip }
active proctype Q() { assert(_last == 0) }
