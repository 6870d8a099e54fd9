/*
 * An element of an array of typedefs as a message.
 *
 * states: 6 transitions: 5
 * faults: none
 */
typedef T { byte a; bit b };
chan c = [1] of { T, byte }; T t[2]; byte x;
active proctype P() { t[1].a = 7; c!t[1],2; c?t[0],x; assert(t[0].a == 7 && x == 2) }
