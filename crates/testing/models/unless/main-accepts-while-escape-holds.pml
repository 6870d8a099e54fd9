/*
 * A sender meets a receiver whose escape could be taken.
 *
 * states: 13 transitions: 15
 * faults: invalid-end-state
 */
chan c = [0] of { byte }; byte x, y = 1;
active proctype P() { { c?x; x = 1 } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { c!4 }
