/*
 * timeout in a pattern: true where nothing else can move.
 *
 * states: 5 transitions: 4
 * faults: assertion@8
 */
chan c = [1] of { bool };
active proctype A() { c!1; c?eval(timeout); assert(false) }
