/*
 * A process that is finished waits until younger ones have ended.
 *
 * states: 6 transitions: 5
 * faults: none
 */
byte x;
proctype Q() { x = 1; x = 2 }
init { run Q() }
