/*
 * A provided clause that waits for timeout lets nobody accept a message.
 *
 * states: 1 transitions: 0
 * faults: invalid-end-state
 */
chan c = [0] of { bool };
active proctype A() { c!1 }
active proctype B() provided (timeout) { c?1 }
