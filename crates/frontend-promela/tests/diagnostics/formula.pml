bool p; byte x;
active proctype P() { p = true }
ltl fine { [] (p -> <> (x == 1)) }
ltl odd { [] x == 1 }
ltl bad { [] (p -> ) }
ltl unknown { <> q }
