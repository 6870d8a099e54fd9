/*
 * timeout in the arguments of run, and in what the new process starts with.
 *
 * states: 8 transitions: 7
 * faults: assertion@9
 */
byte x, y;
proctype Q(byte p) { byte own = timeout + 1; x = p; y = own }
active proctype P() provided (timeout) { run Q(timeout + 3); x == 4; assert(y != 2) }
