typedef T { byte x; byte x };
unsigned u;
unsigned v : 40;
byte w : 3;
bite y;
T t;
active proctype P() { t = 3; t.z = 1; x = t }
