/*
 * Two messages of which somebody receives one.
 *
 * states: 4 transitions: 3
 * faults: none
 */
chan r = [0] of { byte }; byte x;
active D_proctype P() { if :: r!1 :: r!2 fi }
active proctype Q() { r?2 }
