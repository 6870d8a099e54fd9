/*
 * A process cannot meet itself.
 *
 * states: 1 transitions: 0
 * faults: invalid-end-state
 */
chan c = [0] of { byte };
active proctype P() { if :: c!1 :: c?_ fi }
