/*
 * A receive as the first statement.
 *
 * states: 6 transitions: 6
 * faults: none
 */
chan c = [2] of { byte }; byte x;
active proctype P() { d_step { c?x; x++; x++ } }
active proctype Q() { c!5 }
