/*
 * A typedef over a rendezvous channel.
 *
 * states: 7 transitions: 6
 * faults: none
 */
typedef T { byte a; bit b };
chan c = [0] of { T };
active proctype P() { T t; t.a = 7; t.b = 1; c!t }
active proctype Q() { T u; c?u; assert(u.a == 7 && u.b == 1) }
