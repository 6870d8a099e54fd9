/*
 * A sorted send into a queue that is not sorted: before the first greater message.
 *
 * states: 10 transitions: 9
 * faults: none
 */
chan c = [4] of { byte }; byte x;
active proctype P() { c!5; c!2; c!7; c!!3; c?x; assert(x == 3); c?x; assert(x == 5) }
