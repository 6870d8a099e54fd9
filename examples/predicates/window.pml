/*
 * A window of two places between two counters that wrap around.
 *
 * What is put and what is taken is counted in bytes; only how far the two are
 * apart matters.
 *
 * expect: safety holds
 * states: 768 transitions: 1024
 * abstract: put,taken
 * predicates: safety unknown rounds: 1
 */

byte put, taken;

active proctype producer() {
    do
    :: atomic { (put - taken + 256) % 256 < 2 -> put++; assert((put - taken + 256) % 256 <= 2) }
    od
}

active proctype consumer() {
    do
    :: atomic { put != taken -> taken++ }
    od
}
