-- The twin of barrier.gcl, for Rumur.

const N: 4;
const PLACES: 2;

type
  pid: scalarset(N);
  place: 0..4;            -- works, waits, is through, uses the resource, is done

var
  waiting: 0..N;
  open: boolean;
  used: 0..PLACES;
  pc: array[pid] of place;
  round: array[pid] of boolean;

startstate begin
  waiting := 0;
  open := false;
  used := 0;
  for i: pid do pc[i] := 0; round[i] := false; end;
end;

ruleset i: pid do
  rule "arrive" pc[i] = 0 & !open ==> begin pc[i] := 1; waiting := waiting + 1; end;

  rule "open" pc[i] = 1 & waiting = N & !open ==> begin open := true; end;

  rule "pass" pc[i] = 1 & open ==>
  begin pc[i] := 2; waiting := waiting - 1; round[i] := !round[i]; end;

  rule "get" pc[i] = 2 & used < PLACES ==> begin pc[i] := 3; used := used + 1; end;

  rule "put" pc[i] = 3 ==> begin pc[i] := 4; used := used - 1; end;

  rule "rest" pc[i] = 4 ==> begin pc[i] := 0; end;

  rule "close" pc[i] = 0 & open & waiting = 0 ==> begin open := false; end;
end;

invariant "not crowded" used <= PLACES;
