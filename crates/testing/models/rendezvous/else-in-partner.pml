/*
 * A sender whose partner has an else in the same choice, and another sender.
 *
 * states: 7 transitions: 7
 * faults: none
 */
chan c = [0] of { byte }; byte x;
active proctype P() { do :: c!1 :: x == 1 -> break od }
active proctype Q() { do :: c?_ -> x = 1; break :: x == 3 -> break od }
