/*
 * xr and xs with several channels.
 *
 * states: 6 transitions: 5
 * faults: none
 */
chan c = [1] of { byte }; chan d = [0] of { byte };
active proctype P() { xs c, d; c!1; d!2 }
active proctype Q() { xr c, d; c?_; d?_ }
