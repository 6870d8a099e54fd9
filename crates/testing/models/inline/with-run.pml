/*
 * An inline that creates processes.
 *
 * states: 18 transitions: 20
 * faults: none
 */
byte x;
proctype Q(byte n) { x = n }
inline start(n) { run Q(n); run Q(n + 1) }
init { start(1) }
