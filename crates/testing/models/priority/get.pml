/*
 * get_priority and _priority.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
active proctype P() priority 4 { assert(_priority == 4); assert(get_priority(_pid) == 4); x = get_priority(1) }
active proctype Q() { assert(_priority == 1) }
