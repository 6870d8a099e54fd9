byte i, x;
active proctype P() { atomic { do :: i < 16 -> if :: x = x + 1 :: x = x + 2 :: skip fi; i++ :: else -> break od } }
