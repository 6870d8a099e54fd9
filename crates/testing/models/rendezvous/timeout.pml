/*
 * timeout while a sender waits for nobody.
 *
 * states: 7 transitions: 7
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { c!1; x = 1 }
active proctype Q() { timeout; c?_ }
