/*
 * _last inside d_step stays the same from statement to statement.
 *
 * states: 68 transitions: 83
 * faults: assertion@8
 */
byte y, i;
active proctype P() { d_step { do :: i < 3 -> y = y + _last; i++ :: else -> break od }; y = y + _last; assert(y < 3) }
active proctype B() { skip; atomic { skip; d_step { i == 3; i = 3 + _last } } }
