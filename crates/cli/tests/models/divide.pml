byte x = 1;
active proctype p() { x--; x = 1 / x }
