/*
 * A structure cannot be assigned.
 *
 * refused
 */
typedef T { byte a }; T t, u;
active proctype P() { t = u }
