/*
 * A negated empty() is refused.
 *
 * refused
 */
chan c = [2] of { byte };
active proctype P() { if :: !empty(c) -> c?_ :: else fi }
