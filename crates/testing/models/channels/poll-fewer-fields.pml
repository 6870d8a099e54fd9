/*
 * A poll may name fewer fields than the message has.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [2] of { byte, byte };
active proctype P() { c!1,2; assert(c?[1]); assert(c?[1,_]) }
