/*
 * else as the only option is always executable.
 *
 * states: 16 transitions: 23
 * faults: none
 */
byte x;
active proctype P() { if :: else -> x = 1 fi; do :: else -> break od; x = 2 }
active proctype Q() { skip }
