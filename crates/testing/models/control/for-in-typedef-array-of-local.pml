/*
 * for over an array in a typedef.
 *
 * refused
 */
typedef T { byte y[2] }; T t; byte i, s;
active proctype P() { for (i in t.y) { s++ } assert(s == 2) }
