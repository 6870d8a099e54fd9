/*
 * A body of a for with nothing but xr.
 *
 * states: 17 transitions: 23
 * faults: none
 */
chan c = [1] of { byte };
byte x;
active proctype P() { byte i; for (i : 1 .. 2) { xr c }; c!1 }
active proctype Q() { xs c }
