/*
 * eval() takes an expression.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [1] of { byte }; byte x = 3;
active proctype P() { c!4; c?eval(x + 1); assert(empty(c)) }
