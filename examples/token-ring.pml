/*
 * A token ring: who holds the token may enter.
 *
 * N stations pass one token round over rendezvous channels: a channel of size
 * 0 holds nothing, sender and receiver meet in one step. A station that is not
 * interested passes the token on; one that waits for it enters first.
 *
 * There is never more than one station inside. But `turns` is violated, under
 * a fair scheduler too: the first station need never want to enter.
 *
 * Counted by hand: as long as the token is not in the ring, each station is
 * idle or waits; later all but one are, and that one is at one of three places
 * with the token. That makes (3N + 2) * 2^(N-1) states: 272 for N = 5, and
 * 167936 for N = 13, which is the number that Brim, Černá, Moravec and Šimša
 * (2005, Table 2) print for a model called Token-13.
 *
 * expect: safety holds
 * states: 272 transitions: 832
 * ltl mutex: holds
 * ltl turns: violated
 */

#ifndef N
#define N 5
#endif

mtype = { token };

chan to[N] = [0] of { mtype };          /* to[i]: into station i */
byte inside;

active proctype start()                 /* process 0 puts the token in */
{
    to[0]!token
}

active [N] proctype station()           /* processes 1 to N */
{
idle:
    if
    :: true -> goto waiting
    :: to[_pid - 1]?token -> goto passing
    fi;
waiting:
    to[_pid - 1]?token;
    d_step { inside++; assert(inside == 1) };
critical:
    inside--;
passing:
    to[_pid % N]!token;
    goto idle
}

ltl mutex { [] (inside <= 1) }
ltl turns { []<> station[1]@critical }
