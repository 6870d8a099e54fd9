/*
 * A rendezvous send inside atomic without a receiver loses control.
 *
 * states: 17 transitions: 25
 * faults: none
 */
chan c = [0] of { byte }; byte x, y;
active proctype P() { atomic { x = 1; c!1; x = 2 } }
active proctype Q() { y == 1; c?_ }
active proctype R() { y = 1 }
