/*
 * Peterson's mutual exclusion: two users, one room.
 *
 * Each user raises a flag, politely gives the turn to the other, and then
 * waits until the other is not interested or has given the turn back. The
 * wait is one expression on a line of its own: in Promela a condition that
 * is false blocks its process until it becomes true.
 *
 * The assertion can never fail, and nobody waits for ever: a user that comes
 * round again gives the turn away, so it cannot overtake a second time. This
 * needs no assumption about a fair scheduler, because waiting here means to
 * be blocked, not to run in circles. Compare dekker.pml.
 *
 * expect: safety holds
 * states: 38 transitions: 64
 * ltl mutex: holds
 * ltl served: holds
 */

bool flag[2];       /* flag[i]: user i wants to enter, or is inside */
byte turn;          /* who goes first if both want to */
byte inside;        /* how many users are inside: only for checking */

active [2] proctype user()
{
    byte other = 1 - _pid;

    do
    :: flag[_pid] = true;
trying:
       turn = other;
       !flag[other] || turn == _pid;
       inside++;
critical:
       assert(inside == 1);
       inside--;
       flag[_pid] = false
    od
}

ltl mutex  { [] (inside <= 1) }
ltl served { [] (user[0]@trying -> <> user[0]@critical) }
