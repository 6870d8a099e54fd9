proctype P() { here: skip }
init { run P(); P@hree; P:x == 1; Q@here }
