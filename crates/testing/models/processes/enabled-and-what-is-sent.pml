/*
 * enabled() asks whether a send has room, not for the value that would be sent, which may ask back.
 *
 * states: 11 transitions: 11
 * faults: invalid-end-state
 */
chan c = [2] of { byte };
byte x;
active proctype A() { c!enabled(1) }
active proctype B() { enabled(0); x = 1 }
