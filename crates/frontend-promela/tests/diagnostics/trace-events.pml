chan q = [1] of { byte };
byte x;
trace { q!1; x = 2 }
active proctype P() { q!1 }
