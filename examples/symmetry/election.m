-- The twin of election.gcl, for Rumur.

const N: 3;

type
  pid: scalarset(N);
  count: 0..N;

var
  leader: pid;
  votes: array[pid] of count;
  voted: count;
  choice: array[pid] of pid;
  follows: array[pid] of pid;

startstate begin
  undefine leader;
  voted := 0;
  for i: pid do
    votes[i] := 0;
    undefine choice[i];
    undefine follows[i];
  end;
end;

ruleset i: pid do
  ruleset j: pid do
    rule "vote" isundefined(choice[i]) & isundefined(leader) ==>
    begin choice[i] := j; votes[j] := votes[j] + 1; voted := voted + 1; end;
  end;

  rule "wins" isundefined(leader) & votes[i] * 2 > N ==> begin leader := i; end;

  rule "follow" !isundefined(leader) & (isundefined(follows[i]) | follows[i] != leader) ==> begin follows[i] := leader; end;

  rule "again" voted = N & isundefined(leader) & !isundefined(choice[i]) ==>
  begin votes[choice[i]] := votes[choice[i]] - 1; undefine choice[i]; voted := voted - 1; end;

  rule "step down" !isundefined(leader) & leader = i & !isundefined(follows[i]) & follows[i] = i ==>
  begin undefine leader; undefine follows[i]; end;

  rule "forget" isundefined(leader) & !isundefined(follows[i]) ==> begin undefine follows[i]; end;
end;

invariant "possible" voted <= N;
