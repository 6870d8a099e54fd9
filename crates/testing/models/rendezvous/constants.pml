/*
 * A receiver with a constant accepts only a message with that value.
 *
 * states: 7 transitions: 6
 * faults: none
 */
chan c = [0] of { byte, byte }; byte x;
active proctype P() { if :: c!1,5 :: c!2,6 :: c!3,7 fi }
active proctype Q() { if :: c?1,x :: c?2,x fi }
