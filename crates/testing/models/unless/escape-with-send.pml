/*
 * An escape that begins with a send.
 *
 * states: 31 transitions: 41
 * faults: invalid-end-state
 */
chan c = [1] of { byte }; byte x, y;
active proctype P() { { x = 1; x = 2; x = 3 } unless { c!4; x = 9 }; x = 10 }
active proctype Q() { c!1; c?y }
