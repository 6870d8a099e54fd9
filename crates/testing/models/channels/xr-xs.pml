/*
 * xr and xs change nothing for the complete search.
 *
 * states: 7 transitions: 6
 * faults: none
 */
chan c = [1] of { byte };
active proctype P() { xs c; c!1; c!2 }
active proctype Q() { xr c; c?_; c?_ }
