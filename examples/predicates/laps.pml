/*
 * Two processes hand a token to and fro, and count in bytes how often they had
 * it. The first is never behind.
 *
 * expect: safety holds
 * states: 1792 transitions: 1792
 * abstract: first,second
 * predicates: safety holds rounds: 2
 */

byte first, second;
bit token;

active proctype one() {
    do
    :: token == 0 -> first++; token = 1
    od
}

active proctype two() {
    do
    :: token == 1 -> second++; assert(first == second); token = 0
    od
}
