/*
 * Two workers meet after each round; each counts its rounds in a byte. When they
 * have met, they have done as many.
 *
 * expect: safety holds
 * states: 4096 transitions: 6400
 * abstract: rounds1,rounds2
 * predicates: safety unknown rounds: 2
 */

byte rounds1, rounds2;
bit done1, done2;

active proctype worker1() {
    do
    :: rounds1++; done1 = 1; done1 == 0
    od
}

active proctype worker2() {
    do
    :: rounds2++; done2 = 1; done2 == 0
    od
}

active proctype gate() {
    do
    :: atomic { done1 == 1 && done2 == 1 -> assert(rounds1 == rounds2); done1 = 0; done2 = 0 }
    od
}
