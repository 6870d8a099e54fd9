-- The twin of german.gcl, for Rumur.

const N: 3;

type
  node: scalarset(N);
  count: 0..N;
  two: 0..2;
  three: 0..3;

var
  command: two;
  current: node;
  given: boolean;
  holders: count;
  owners: count;
  readers: count;
  cache: array[node] of two;
  request: array[node] of two;
  answer: array[node] of three;
  done: array[node] of boolean;
  holds: array[node] of boolean;

startstate begin
  command := 0;
  undefine current;
  given := false;
  holders := 0;
  owners := 0;
  readers := 0;
  for i: node do
    cache[i] := 0;
    request[i] := 0;
    answer[i] := 0;
    done[i] := false;
    holds[i] := false;
  end;
end;

ruleset i: node do
  rule "ask shared" request[i] = 0 & cache[i] = 0 ==> begin request[i] := 1; end;

  rule "ask exclusive" request[i] = 0 & cache[i] != 2 ==> begin request[i] := 2; end;

  rule "pick" command = 0 & request[i] != 0 ==>
  begin command := request[i]; current := i; request[i] := 0; end;

  rule "tell" answer[i] = 0 & holds[i] & !done[i] & (command = 2 | command = 1 & given) ==>
  begin answer[i] := 1; end;

  rule "give up" answer[i] = 1 & !done[i] ==>
  begin
    answer[i] := 0;
    done[i] := true;
    if cache[i] = 2 then owners := owners - 1; end;
    if cache[i] = 1 then readers := readers - 1; end;
    cache[i] := 0;
  end;

  rule "given up" done[i] & command != 0 ==>
  begin done[i] := false; holds[i] := false; holders := holders - 1; given := false; end;

  rule "share" command = 1 & current = i & answer[i] = 0 & !given ==>
  begin
    answer[i] := 2;
    if !holds[i] then holders := holders + 1; end;
    holds[i] := true;
    command := 0;
    undefine current;
  end;

  rule "give" command = 2 & current = i & answer[i] = 0 & !given & holders = 0 ==>
  begin
    answer[i] := 3;
    holders := 1;
    holds[i] := true;
    given := true;
    command := 0;
    undefine current;
  end;

  rule "get shared" answer[i] = 2 ==>
  begin
    answer[i] := 0;
    if cache[i] != 1 then readers := readers + 1; end;
    cache[i] := 1;
  end;

  rule "get exclusive" answer[i] = 3 ==>
  begin answer[i] := 0; owners := owners + 1; cache[i] := 2; end;
end;

invariant "coherent" owners <= 1 & (owners = 0 | readers = 0);
