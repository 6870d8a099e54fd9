/*
 * The receiver of a rendezvous goes on in its atomic sequence, blocks, and the sender regains control.
 *
 * states: 20 transitions: 27
 * faults: none
 */
chan c = [0] of { byte }; byte x, y;
active proctype P() { atomic { x = 1; c!1; x = 2; x = 3 } }
active proctype Q() { atomic { c?_; x = 7; y == 1; x = 8 } }
active proctype R() { y = 1 }
