/*
 * A structure cannot be compared.
 *
 * refused
 */
typedef T { byte a }; T t, u;
active proctype P() { t == u }
