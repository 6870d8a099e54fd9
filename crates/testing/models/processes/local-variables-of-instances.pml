/*
 * Each process has its own local variables.
 *
 * states: 43 transitions: 70
 * faults: none
 */
byte s;
proctype Q(byte n) { byte i; do :: i < n -> i++ :: else -> break od; s = s + i }
init { atomic { run Q(1); run Q(2) } }
