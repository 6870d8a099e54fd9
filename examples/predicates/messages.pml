/*
 * Numbered messages through a channel of two places: a byte numbers them and
 * wraps around, and they come in order.
 *
 * expect: safety holds
 * states: 768 transitions: 1024
 * abstract: sent,received
 * predicates: safety unknown rounds: 1
 */

chan line = [2] of { bit };
byte sent, received;

active proctype sender() {
    do
    :: d_step { nfull(line) -> line!0; sent++ }
    od
}

active proctype receiver() {
    do
    :: atomic { line?_; received++; assert((sent - received + 256) % 256 <= 1) }
    od
}
