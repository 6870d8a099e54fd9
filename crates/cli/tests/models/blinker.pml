bool on;
active proctype blinker() { do :: on = true; on = false od }
active proctype other() { end: do :: skip od }
ltl often { []<> on }
ltl rests { <>[] !on }
