/*
 * A constant is compared with what was stored.
 *
 * states: 4 transitions: 3
 * faults: none
 */
chan c = [2] of { byte };
active proctype P() { c!257; if :: c?257 -> assert(false) :: c?1 fi }
