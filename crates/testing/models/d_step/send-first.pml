/*
 * A send as the first statement.
 *
 * states: 7 transitions: 6
 * faults: none
 */
chan c = [1] of { byte }; byte x;
active proctype P() { c!3; d_step { c!5; x++; x++ } }
active proctype Q() { c?_; c?_ }
