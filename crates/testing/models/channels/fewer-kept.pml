/*
 * Fewer arguments than fields in a receive that keeps the message.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [1] of { byte, byte, byte }; byte x;
active proctype P() { c!1,2,3; c?<x>; assert(x == 1 && len(c) == 1) }
