actve proctype P() { skip }
active proctype Q() { asert(true); prinft("x") }
