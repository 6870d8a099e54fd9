/*
 * Two-phase commit with a coordinator that may crash.
 *
 * The coordinator asks every participant to vote. If all say yes it decides to
 * commit; if one says no, or the coordinator loses patience, to abort. Then it
 * tells everyone. A participant that votes no aborts at once. One that has
 * voted yes waits for the decision, and when it loses patience it asks the
 * others, in turn, whether they know more; whoever has not voted yet aborts when
 * asked. The coordinator may crash at any time and is silent from then on; with
 * -D SAFE it does not.
 *
 * No two participants decide differently. But the protocol blocks: if the
 * coordinator crashes when all have voted yes and none has been told, they wait
 * for ever.
 *
 * expect: safety holds
 * states: 23390 transitions: 73013
 * scale: -D N=3 states: 1158852 transitions: 4675477
 * scale: -D N=4 -D SAFE=1 states: 12480991 transitions: 55956570
 * ltl learns: holds
 * ltl all_decide: violated
 */

#ifndef N
#define N 2
#endif

mtype = { vote, yes, no, commit, abort, undecided };

chan calls[N] = [1] of { mtype };       /* coordinator to participant */
chan votes = [N] of { mtype };          /* participant to coordinator */

mtype decision[N] = undecided;
bool voted_yes[N];
bool refused, crashed;                  /* someone said no; the coordinator is gone */
byte decided;                           /* how many participants have */

/* Participant i decides; nobody may have decided differently. */
inline decide(i, what)
{
    assert(decision[i] == undecided || decision[i] == what);
    decided = (decision[i] == undecided -> decided + 1 : decided);
    decision[i] = what;
    for (k : 0 .. N - 1) {
        assert(decision[k] == undecided || decision[k] == what)
    }
    k = 0
}

#define me _pid

active [N] proctype participant()
{
    byte other, k;

end:
    do
    :: calls[me]?vote ->
       if
       :: decision[me] != undecided -> votes!no         /* someone asked me before */
       :: atomic { decision[me] == undecided -> voted_yes[me] = true };
          votes!yes
       :: d_step { decision[me] == undecided -> decide(me, abort); refused = true };
          votes!no
       fi
    :: d_step { calls[me]?commit -> decide(me, commit) }
    :: d_step { calls[me]?abort -> decide(me, abort) }
    :: voted_yes[me] && decision[me] == undecided ->    /* no patience: ask another */
       other = (other + 1) % N;
       d_step {
           if
           :: decision[other] != undecided -> decide(me, decision[other])
           :: decision[other] == undecided && !voted_yes[other] ->
              decide(other, abort);
              decide(me, abort)
           :: else                                      /* as wise as before */
           fi
       }
    od
}

active proctype coordinator()
{
    byte i, agreed;
    mtype heard, outcome = commit;

    {
        for (i : 0 .. N - 1) {
            calls[i]!vote
        }
        do
        :: agreed < N ->
           if
           :: votes?yes -> agreed++
           :: votes?no -> outcome = abort; break
           :: outcome = abort; break                    /* no patience */
           fi
        :: agreed == N -> break
        od;
        for (i : 0 .. N - 1) {
            calls[i]!outcome
        }
    } unless {
        crashed
    }
end:
    do
    :: votes?heard                                      /* too late */
    od
}

#ifndef SAFE
active proctype fate()
{
    crashed = true
}
#endif

/* Who has voted yes while another said no aborts in the end. */
ltl learns      { [] ((refused && voted_yes[0]) -> <> (decision[0] == abort)) }
/* But not everyone decides: the coordinator may crash. */
ltl all_decide  { <> (decided == N) }
