/*
 * An escape that receives a message with a given value.
 *
 * states: 31 transitions: 44
 * faults: none
 */
chan c = [1] of { byte }; byte x, y = 3;
active proctype P() { { x = 1; x = 2 } unless { c?eval(y); x = 9 }; x = 10 }
active proctype Q() { if :: c!3 :: c!4 fi }
