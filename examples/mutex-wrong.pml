/*
 * Mutual exclusion, wrong: look first, then lock.
 *
 * Each user waits until the other's flag is down, raises its own, and enters.
 * Between looking and raising there is a gap: both users can look while both
 * flags are down, and then both walk in. This is the smallest model to see a
 * counterexample with; peterson.pml shows how to do it right.
 *
 * expect: safety violated
 * states: 36 transitions: 64
 */

bool busy[2];       /* busy[i]: user i is inside, or about to be */
byte inside;        /* how many users are inside: only for checking */

active [2] proctype user()
{
    do
    :: !busy[1 - _pid];         /* wait until the other is out ... */
       busy[_pid] = true;       /* ... too late: it may have looked as well */
       inside++;
       assert(inside <= 1);
       inside--;
       busy[_pid] = false
    od
}
