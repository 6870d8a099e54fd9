/*
 * A poll of the whole channel gives the position of the message that it finds.
 *
 * states: 7 transitions: 6
 * faults: none
 */
byte x; chan c = [3] of { byte };
active proctype P() { c!5; c!6; c!7; x = c??[7]; assert(x == 3) }
