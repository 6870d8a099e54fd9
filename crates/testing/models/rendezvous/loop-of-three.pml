/*
 * A ring of processes.
 *
 * states: 27 transitions: 38
 * faults: none
 */
chan c[3] = [0] of { byte }; byte x;
active [3] proctype P() { byte v; if :: _pid == 0 -> c[1]!5 :: else fi; c[_pid]?v; x = v; if :: _pid != 0 -> c[(_pid + 1) % 3]!v :: else fi }
