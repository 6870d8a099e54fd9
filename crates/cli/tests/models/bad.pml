byte x;
active proctype p() { y = 1; x = z }
