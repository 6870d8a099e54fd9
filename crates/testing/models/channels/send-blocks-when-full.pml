/*
 * A send to a full channel blocks.
 *
 * states: 9 transitions: 9
 * faults: none
 */
chan c = [1] of { byte };
active proctype P() { c!1; c!2; c!3 }
active proctype Q() { c?_; c?_ }
