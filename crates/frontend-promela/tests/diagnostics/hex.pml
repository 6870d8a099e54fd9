active proctype P() { byte x = 0x1F; x = 3 ` 4 }
