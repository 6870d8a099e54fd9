/*
 * select over at most 33 numbers that are written out: one choice.
 *
 * states: 24 transitions: 35
 * faults: assertion@8
 */
byte x;
active proctype P() { select (x : 2 .. 4); assert(x != 3) }
active proctype Q() { skip }
