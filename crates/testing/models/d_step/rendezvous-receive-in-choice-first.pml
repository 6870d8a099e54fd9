/*
 * A choice between rendezvous receives at the beginning of a d_step.
 *
 * states: 7 transitions: 6
 * faults: none
 */
chan c = [0] of { byte }; chan d = [0] of { byte }; byte x, y;
active proctype P() { d_step { if :: c?x -> y = 1 :: d?x -> y = 2 fi; x++ } }
active proctype Q() { if :: c!5 :: d!6 fi }
