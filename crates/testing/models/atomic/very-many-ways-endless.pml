/*
 * Very many ways through atomic, one of which never ends.
 *
 * states: any transitions: any
 * faults: run-time-error@8
 */
byte i, x;
active proctype P() { atomic { do :: i < 16 -> if :: x = x + 1 :: x = x + 2 :: skip fi; i++ :: x == 9 -> skip :: else -> break od } }
