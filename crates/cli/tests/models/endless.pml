byte x;
active proctype p() { atomic { do :: x = 1 - x od } }
