/*
 * The underscore throws a field away.
 *
 * states: 9 transitions: 8
 * faults: none
 */
chan c = [2] of { byte, byte }; byte x;
active proctype P() { c!1,2; c?_,x; assert(x == 2); x = 3; _ = 4; c!5,6; c?_,_ }
