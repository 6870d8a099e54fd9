proctype P() { c_code { x++; } }
init { skip }