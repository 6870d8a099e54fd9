/*
 * Two messages that somebody receives.
 *
 * states: 7 transitions: 6
 * faults: run-time-error@8
 */
chan r = [0] of { byte }; byte x;
active D_proctype P() { if :: r!1 :: r!2 fi }
active proctype Q() { r?x }
