/*
 * _last is the process that moved last.
 *
 * states: 44 transitions: 63
 * faults: none
 */
byte x;
active proctype P() { x = 1; x = 2; if :: _last == 0 -> x = 3 :: _last == 1 -> x = 4 fi }
active proctype Q() { skip; skip }
