/*
 * A send to a full channel inside atomic blocks.
 *
 * states: 7 transitions: 6
 * faults: none
 */
chan c = [1] of { byte }; byte x;
active proctype P() { atomic { c!1; c!2; x = 1 } }
active proctype Q() { c?_; c?_ }
