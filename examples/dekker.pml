/*
 * Dekker's mutual exclusion: the first correct one (about 1960).
 *
 * A user who finds the other's flag up looks whose turn it is. If it is the
 * other's, the user lowers its own flag and waits for the turn; otherwise it
 * keeps asking, in a busy loop, until the other gives up.
 *
 * Mutual exclusion holds. `served` does not: without fairness the scheduler
 * may run the asking loop of one user for ever and never let the other move.
 * Under weak fairness (a process that can always move does move) it holds.
 *
 * expect: safety holds
 * states: 110 transitions: 204
 * ltl mutex: holds
 * ltl served: violated
 */

bool wants[2];
byte turn;
byte inside;

active [2] proctype user()
{
    byte other = 1 - _pid;

    do
    :: wants[_pid] = true;
trying:
       do
       :: !wants[other] -> break
       :: wants[other] && turn == _pid          /* ask again */
       :: wants[other] && turn == other ->
          wants[_pid] = false;                  /* step back ... */
          turn == _pid;                         /* ... until it is my turn */
          wants[_pid] = true
       od;
       inside++;
critical:
       assert(inside == 1);
       inside--;
       turn = other;
       wants[_pid] = false
    od
}

ltl mutex  { [] (inside <= 1) }
ltl served { [] (user[0]@trying -> <> user[0]@critical) }
