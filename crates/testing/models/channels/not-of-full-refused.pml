/*
 * A negated full() is refused.
 *
 * refused
 */
chan c = [2] of { byte };
active proctype P() { if :: !full(c) -> c!1 :: else fi }
