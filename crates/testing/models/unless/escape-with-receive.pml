/*
 * An escape that begins with a receive.
 *
 * states: 20 transitions: 28
 * faults: none
 */
chan c = [1] of { byte }; byte x, y;
active proctype P() { { x = 1; x = 2; x == 7 } unless { c?y; x = 9 }; x = 10 }
active proctype Q() { c!4 }
