/*
 * The receiver of a rendezvous never sees timeout: the sender has just moved.
 *
 * states: 1 transitions: 0
 * faults: invalid-end-state
 */
chan c = [0] of { bool };
active proctype A() { c!1 }
active proctype B() { c?eval(timeout) }
