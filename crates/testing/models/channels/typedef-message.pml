/*
 * A field may be a typedef: its fields are the message's.
 *
 * states: 9 transitions: 8
 * faults: none
 */
typedef T { byte a; byte b[2]; short s };
chan c = [2] of { byte, T }; T t, u; byte x;
active proctype P() { t.a = 1; t.b[0] = 2; t.b[1] = 3; t.s = -4; c!9,t; c?x,u; assert(x == 9 && u.a == 1 && u.b[0] == 2 && u.b[1] == 3 && u.s == -4) }
