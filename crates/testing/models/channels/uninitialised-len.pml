/*
 * len of a channel variable without a channel.
 *
 * states: any
 * faults: run-time-error@8
 */
chan c; byte x;
active proctype P() { x = 1; assert(len(c) == 0) }
