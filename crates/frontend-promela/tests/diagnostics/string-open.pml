active proctype P() { printf("hi }
