/*
 * Creating a process inside a d_step.
 *
 * refused
 */
byte x;
proctype Q() { x++ }
init { d_step { x = 3; run Q(); x = 4 } }
