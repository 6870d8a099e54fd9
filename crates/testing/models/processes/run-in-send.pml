/*
 * run in a send.
 *
 * refused
 */
byte x; chan c = [1] of { byte };
proctype Q(byte n) { x = n }
init { c!run Q(3); c?x }
