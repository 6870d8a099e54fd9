/*
 * Control is handed from process to process.
 *
 * states: 43 transitions: 66
 * faults: none
 */
chan c = [0] of { byte }; chan d = [0] of { byte }; byte x;
active proctype P() { atomic { x = 1; c!1; x = 2 } }
active proctype Q() { atomic { c?_; x = 3; d!1; x = 4 } }
active proctype R() { atomic { d?_; x = 5; x = 6 } }
active proctype S() { x = 9 }
