/*
 * A receive in angle brackets leaves the message where it is.
 *
 * states: 10 transitions: 9
 * faults: none
 */
chan c = [3] of { byte }; byte x;
active proctype P() { c!4; c!5; c?<x>; assert(x == 4 && len(c) == 2); c?<4>; c?4; c?<x>; assert(x == 5) }
