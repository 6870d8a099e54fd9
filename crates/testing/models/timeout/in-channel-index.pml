/*
 * timeout chooses the channel. (One way only: Spin undoes a move in the channel that timeout chooses then.)
 *
 * states: 7 transitions: 6
 * faults: assertion@8
 */
chan c[2] = [1] of { byte }; byte x;
active proctype P() provided (timeout) { c[timeout]!3; if :: nempty(c[timeout]) -> x = len(c[timeout]) fi; c[timeout]?x; assert(x == 0) }
