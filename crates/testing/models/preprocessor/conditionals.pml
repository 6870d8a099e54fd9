/*
 * Parts of the text can be left out.
 *
 * states: 3 transitions: 2
 * faults: none
 */
#define A
#ifdef A
byte x = 1;
#else
byte x = 2;
#endif
#ifndef A
#error no
#endif
#if 0
this is not Promela
#endif
#if defined(A) && (1 + 1 == 2)
active proctype P() { assert(x == 1) }
#endif
