/*
 * Inside atomic, timeout is true for the move that waited for it and false after.
 *
 * states: 19 transitions: 20
 * faults: none
 */
byte x, y;
active proctype P() { atomic { x = timeout + 2; timeout; y = timeout; x = timeout } }
active proctype Q() provided (timeout) { atomic { skip; x = timeout + 4; y = 3 } }
