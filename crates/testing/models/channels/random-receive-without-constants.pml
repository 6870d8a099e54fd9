/*
 * A random receive without constants takes the oldest message.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c = [3] of { byte }; byte x;
active proctype P() { c!4; c!3; c??x; assert(x == 4) }
