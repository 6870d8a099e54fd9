/*
 * Two-phase commit by handshakes, with several coordinators at once.
 *
 * A coordinator asks one participant after the other to prepare, and hears its
 * vote by a second handshake. A participant that is locked, for another
 * coordinator or for work of its own, says no; one that is free may as well. Once
 * somebody has said no, nobody else is asked. Then the coordinator tells the
 * decision to those that it has asked. A participant writes its log before it
 * votes and before it confirms.
 *
 * The handshakes stand inside `atomic` on both sides. The participant that is to be
 * asked may still be busy with another coordinator: then a coordinator is blocked
 * halfway, after its guard.
 *
 * expect: safety holds
 * states: 11473 transitions: 37243
 * scale: -D N=3 -D COORDINATORS=3 states: 1934865 transitions: 9565597
 */

#ifndef N
#define N 2                                     /* participants */
#endif
#ifndef COORDINATORS
#define COORDINATORS 2
#endif
#define NOBODY COORDINATORS
#define MYSELF (COORDINATORS + 1)

mtype = { prepare, commit, abort, yes, no };

chan order[N] = [0] of { mtype, byte };         /* what, by which coordinator */
chan vote[COORDINATORS] = [0] of { mtype };
chan done[COORDINATORS] = [0] of { bit };

byte locked[COORDINATORS];                      /* participants that are locked for it */

proctype participant(byte me)
{
    byte owner = NOBODY, who;

end:
    do
    :: atomic { order[me]?prepare,who -> assert(owner != who) };
       if
       :: atomic {                              /* writes its log */
              owner == NOBODY ->
              owner = who;
              locked[who]++
          };
          atomic { vote[who]!yes; who = 0 }
       :: atomic { vote[who]!no; who = 0 }
       fi
    :: atomic {
           order[me]?commit,who ->
           assert(owner == who);
           owner = NOBODY
       };
       atomic { locked[who]--; done[who]!1; who = 0 }
    :: atomic {
           order[me]?abort,who ->
           if
           :: owner == who -> owner = NOBODY; locked[who]--
           :: owner != who
           fi;
           done[who]!1;
           who = 0
       }
    :: owner == NOBODY -> owner = MYSELF        /* work of its own */
    :: owner == MYSELF -> owner = NOBODY
    od
}

proctype coordinator(byte me)
{
    byte asked;
    mtype decision = commit;

    do
    :: atomic {
           decision == commit && asked < N ->
           order[asked]!prepare,me;
           asked++
       };
       if
       :: atomic { vote[me]?yes -> assert(locked[me] == asked) }
       :: atomic { vote[me]?no -> decision = abort }
       fi
    :: decision == abort || asked == N ->
       assert(decision == abort || locked[me] == N);
       do
       :: atomic {
              asked > 0 ->
              order[asked - 1]!decision,me;
              asked--;
              done[me]?1
          }
       :: atomic { asked == 0 -> assert(locked[me] == 0); decision = commit; break }
       od
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            run participant(i)
        }
        for (i : 0 .. COORDINATORS - 1) {
            run coordinator(i)
        }
        i = 0
    }
}
