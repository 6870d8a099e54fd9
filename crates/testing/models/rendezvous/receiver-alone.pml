/*
 * A receiver without a sender is blocked.
 *
 * states: 1 transitions: 0
 * faults: invalid-end-state
 */
chan c = [0] of { byte };
active proctype P() { c?_ }
