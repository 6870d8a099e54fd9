/*
 * A field may be unsigned.
 *
 * refused
 */
chan c = [2] of { unsigned, byte }; byte x;
active proctype P() { c!7,2; c?x,_; assert(x == 7) }
