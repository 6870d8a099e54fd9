/*
 * _last during atomic sequences.
 *
 * states: 19 transitions: 26
 * faults: assertion@9
 */
byte x;
active proctype P() { atomic { x = 1; x = 2 }; assert(_last == 0 || _last == 1) }
active proctype Q() { skip; assert(_last == 1) }
