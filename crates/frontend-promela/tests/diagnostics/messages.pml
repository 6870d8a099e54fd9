chan c = [2] of { byte, bit };
byte x;
active proctype P() { c!1,2,3; x!4 }
