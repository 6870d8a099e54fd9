-- The twin of lock.gcl, for Rumur.

const N: 4;

type
  pid: scalarset(N);
  place: 0..3;            -- away, waiting, inside, leaving

var
  owner: pid;
  next: pid;
  inside: 0..N;
  pc: array[pid] of place;

startstate begin
  undefine owner;
  undefine next;
  inside := 0;
  for i: pid do pc[i] := 0; end;
end;

ruleset i: pid do
  rule "ask" pc[i] = 0 ==> begin pc[i] := 1; end;

  rule "promise" pc[i] = 1 & isundefined(next) & !isundefined(owner) ==>
  begin next := i; end;

  rule "take" pc[i] = 1 & isundefined(owner) & (isundefined(next) | next = i) ==>
  begin owner := i; undefine next; pc[i] := 2; inside := inside + 1; end;

  rule "leave" pc[i] = 2 ==> begin pc[i] := 3; inside := inside - 1; end;

  rule "free" pc[i] = 3 & !isundefined(owner) & owner = i ==>
  begin undefine owner; pc[i] := 0; end;
end;

invariant "two" inside <= 1;
