/*
 * timeout in set_priority.
 *
 * states: 8 transitions: 7
 * faults: assertion@8
 */
byte x;
active proctype P() { d_step { timeout; set_priority(_pid, 3 + timeout) }; x = get_priority(_pid); assert(x == 3) }
active proctype Q() { x == 4; x = 5 }
