chan c = [1] of { byte };
active proctype P() {
  byte m;
  do :: c m od;
  do :: xr c od;
  atomic { xs c };
  { c!m } unless { xr c };
  c?_pid
}
init { skip }
init { skip }
