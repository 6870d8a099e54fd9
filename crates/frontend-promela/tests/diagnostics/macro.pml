#define LIMIT (N + 1)
byte x;
active proctype P() { x < LIMIT }
