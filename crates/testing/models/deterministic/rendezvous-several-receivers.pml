/*
 * One message that several receive is no choice of the sender.
 *
 * states: 8 transitions: 9
 * faults: none
 */
chan r = [0] of { byte }; byte x;
active D_proctype P() { r!1; r!1 }
active [2] proctype Q() { r?x }
