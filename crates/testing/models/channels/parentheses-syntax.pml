/*
 * The first field may be written outside of the parentheses of the others.
 *
 * states: 12 transitions: 11
 * faults: none
 */
mtype = { msg, ack };
chan c = [2] of { mtype, byte, byte }; byte x, y;
active proctype P() { c!msg(1,2); c!ack,3,4; c?msg(x,y); assert(x == 1 && y == 2); c?ack(x,y); assert(x == 3); c!msg(5,6); c?[msg(5,6)]; c??<msg(x,_)>; assert(x == 5) }
