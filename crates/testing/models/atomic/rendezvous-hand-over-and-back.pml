/*
 * Control goes over and comes back.
 *
 * states: 27 transitions: 36
 * faults: none
 */
chan c = [0] of { byte }; chan d = [0] of { byte }; byte x;
active proctype P() { atomic { x = 1; c!1; x = 2; d?_; x = 3 } }
active proctype Q() { atomic { c?_; x = 7; d!1; x = 8 } }
active proctype R() { x = 9 }
