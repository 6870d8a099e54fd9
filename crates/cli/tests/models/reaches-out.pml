byte a[3];
byte i;
active proctype p() { i = 2; i = 7; i = 0 }
ltl inside { [] (a[i] == 0) }
