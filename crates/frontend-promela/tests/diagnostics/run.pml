proctype Worker(byte a; byte b) { skip }
init { run Worker(1); run Wroker(1, 2) }
