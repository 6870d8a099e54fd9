/*
 * A rendezvous receive with a constant as the first statement of a d_step.
 *
 * states: 5 transitions: 4
 * faults: invalid-end-state
 */
chan c = [0] of { byte, byte }; byte x, y;
active proctype P() { d_step { c?5,x; x++; y = x } }
active proctype Q() { if :: c!5,1 :: c!6,1 fi }
active proctype R() { end: c?6,y }
