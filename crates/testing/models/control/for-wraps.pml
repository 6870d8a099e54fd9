/*
 * A loop up to 255 with a byte does not end.
 *
 * states: 769 transitions: 769
 * faults: none
 */
byte i = 250; byte s;
active proctype P() { for (i : 254 .. 255) { s = 1 - s } }
