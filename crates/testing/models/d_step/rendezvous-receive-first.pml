/*
 * A rendezvous receive as the first statement of a d_step.
 *
 * states: 12 transitions: 12
 * faults: none
 */
chan c = [0] of { byte }; byte x, y;
active proctype P() { d_step { c?x; x++; y = x } }
active proctype Q() { c!5; c!6 }
active proctype R() { c?y }
