/*
 * Sending and receiving inside, where it does not block.
 *
 * states: 8 transitions: 9
 * faults: none
 */
chan c = [2] of { byte }; byte x;
active proctype P() { d_step { c!5; c!6; c?x; c?x; c!x }; assert(x == 6) }
active proctype Q() { c?_ }
