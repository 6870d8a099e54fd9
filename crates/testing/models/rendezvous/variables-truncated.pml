/*
 * The receiving variable truncates, too.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c = [0] of { int }; byte a; bit b;
active proctype P() { c!258; c!2 }
active proctype Q() { c?a; c?b; assert(a == 2 && b == 0) }
