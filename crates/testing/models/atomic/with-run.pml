/*
 * Creating processes inside atomic.
 *
 * states: 9 transitions: 10
 * faults: none
 */
byte x;
proctype Q(byte n) { x = x + n }
init { atomic { run Q(1); run Q(2); x = 4 } }
