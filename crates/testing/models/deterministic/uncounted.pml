/*
 * skip, goto, break, else and d_step may stand behind others.
 *
 * states: 24 transitions: 35
 * faults: none
 */
byte x;
active D_proctype P() { if :: x = 1 :: skip fi; if :: x = 2 :: true fi; do :: x < 5 -> x = 6 :: break od; if :: x = 3 :: d_step { x = 4; x = 5 } fi; if :: x > 0 :: else fi; if :: x = 7 :: goto L fi; x = 8; L: x = 9 }
