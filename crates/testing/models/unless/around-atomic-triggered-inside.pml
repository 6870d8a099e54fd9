/*
 * An atomic sequence that makes the condition of its own escape true.
 *
 * states: 13 transitions: 18
 * faults: none
 */
byte x, y;
active proctype P() { { atomic { x = 1; y = 1; x = 3; x = 4 }; x = 5 } unless { y == 1; x = 9 }; x = 10 }
active proctype Q() { skip }
