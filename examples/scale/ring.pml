/*
 * Dijkstra's self-stabilising ring (1974): from any state to one token.
 *
 * N machines stand in a ring, each with a counter modulo K. The first has the
 * token when its counter equals that of its neighbour, the last one, and passes
 * it on by counting up. Any other has it when its counter differs from that of the
 * neighbour, and passes it on by copying. The counters start with arbitrary values,
 * so that there may be many tokens. There is always one, no step makes another, and
 * if K >= N there is exactly one in the end.
 *
 * Every machine chooses its first value in a step of its own: the graph is wide at
 * once, and shallow.
 *
 * expect: safety holds
 * states: 625 transitions: 2640
 * scale: -D N=7 -D K=7 states: 2097152 transitions: 17198069
 * scale: -D N=8 -D K=7 states: 16777216 transitions: 152852861
 * ltl stabilises: holds
 * ltl rests: violated
 */

#ifndef N
#define N 4
#endif
#ifndef K
#define K 4
#endif

byte counter[N];
byte chosen;                            /* machines that have their first value */
byte tokens;                            /* counted after each step, when all have */

#define left ((_pid + N - 1) % N)

inline count()
{
    tokens = (counter[0] == counter[N - 1] -> 1 : 0);
    for (i : 1 .. N - 1) {
        tokens = tokens + (counter[i] != counter[i - 1] -> 1 : 0)
    }
    i = 0
}

active [N] proctype machine()
{
    byte i, before;

    atomic {
        select(i : 0 .. K - 1);
        counter[_pid] = i;
        i = 0;
        chosen++;
        if
        :: chosen == N -> count()
        :: else
        fi
    }
    do
    :: d_step {
           chosen == N && _pid == 0 && counter[0] == counter[left] ->
           before = tokens;
           counter[0] = (counter[0] + 1) % K;
           count();
           assert(tokens >= 1 && tokens <= before);
           before = 0
       }
    :: d_step {
           chosen == N && _pid > 0 && counter[_pid] != counter[left] ->
           before = tokens;
           counter[_pid] = counter[left];
           count();
           assert(tokens >= 1 && tokens <= before);
           before = 0
       }
    od
}

/* In the end there is one token, whatever the scheduler does. */
ltl stabilises  { <>[] (tokens == 1) }
/* But the machines do not come to rest. */
ltl rests       { <>[] (counter[0] == counter[1]) }
