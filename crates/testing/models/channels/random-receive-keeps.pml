/*
 * A random receive in angle brackets.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c = [3] of { byte, byte }; byte x;
active proctype P() { c!4,1; c!5,2; c??<5,x>; assert(x == 2 && len(c) == 2) }
