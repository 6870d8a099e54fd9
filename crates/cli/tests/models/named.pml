bool done;
active proctype p() { done = true }
ltl finishes { <> done }
