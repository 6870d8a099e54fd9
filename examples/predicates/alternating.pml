/*
 * An alternating bit over a line that loses, with a count of the items on each
 * side, which are bytes that wrap around: what arrives is what was sent.
 *
 * expect: safety holds
 * states: 19471 transitions: 38687
 * abstract: item,arrived
 * predicates: safety unknown rounds: 1
 */

byte item, arrived;
bit sending, expecting;
chan line = [1] of { bit };
chan back = [1] of { bit };

active proctype sender() {
    bit b;
    item++;
    do
    :: line!sending
    :: line?_
    :: back?b ->
        if
        :: b == sending -> atomic { sending = 1 - sending; item++ }
        :: else
        fi
    od
}

active proctype receiver() {
    bit b;
    do
    :: line?b ->
        if
        :: b == expecting -> atomic { arrived++; assert(arrived == item); expecting = 1 - expecting }
        :: else
        fi;
        back!b
    od
}
