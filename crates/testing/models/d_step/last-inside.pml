/*
 * _last inside d_step is still who moved before.
 *
 * states: 19 transitions: 22
 * faults: assertion@8
 */
byte y;
active proctype P() { d_step { skip; y = _last }; assert(y == 0) }
active proctype B() { skip }
