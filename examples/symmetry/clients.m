-- The twin of clients.gcl, for Rumur.

const CLIENTS: 3;
const SERVERS: 2;

type
  client: scalarset(CLIENTS);
  server: scalarset(SERVERS);

var
  asked: array[client] of server;
  busy: 0..SERVERS;
  serves: array[server] of client;
  knows: array[server] of array[client] of boolean;

startstate begin
  busy := 0;
  for i: client do undefine asked[i]; end;
  for j: server do
    undefine serves[j];
    for i: client do knows[j][i] := false; end;
  end;
end;

ruleset j: server do
  rule "done" !isundefined(serves[j]) ==>
  begin knows[j][serves[j]] := true; undefine serves[j]; busy := busy - 1; end;
end;

ruleset i: client do
  ruleset j: server do
    rule "ask" isundefined(asked[i]) ==> begin asked[i] := j; end;
  end;

  rule "served" !isundefined(asked[i]) & isundefined(serves[asked[i]]) ==>
  begin serves[asked[i]] := i; undefine asked[i]; busy := busy + 1; end;

  rule "leave" !isundefined(asked[i]) & knows[asked[i]][i] ==>
  begin knows[asked[i]][i] := false; undefine asked[i]; end;
end;

invariant "not too many" busy <= SERVERS;
