/*
 * else beside a guard that creates a process.
 *
 * states: 8 transitions: 9
 * faults: none
 */
byte x;
proctype Q() { x++ }
active proctype P() { if :: run Q() -> x = x + 2 :: else -> assert(false) fi }
