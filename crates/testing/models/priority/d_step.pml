/*
 * A process of low priority inside d_step.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x;
active proctype P() priority 3 { x == 1; x = 5 }
active proctype Q() { d_step { x = 1; x = 2; x = 1 }; x = 3 }
