/*
 * A receive may name fewer fields than the message has: the others are dropped.
 *
 * states: any
 * faults: run-time-error@8
 */
chan c = [2] of { byte, byte, byte }; byte x, y;
active proctype P() { c!1,2,3; c!4,5,6; c?x,y; assert(x == 1 && y == 2); c?x; assert(x == 4 && len(c) == 0) }
