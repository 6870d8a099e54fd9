/*
 * A very simple mutual exclusion protocol: one lock.
 *
 * Pelánek, "Reduction and Abstraction Techniques for Model Checking" (thesis),
 * Figure 1.1, where it is written as guarded commands over pc1, pc2 and `free`.
 * N, W and C (not interested, waiting, critical) are labels here, so a state is
 * the same triple; in small letters, because W is an operator in a formula.
 *
 * Section 1.2.1 gives the number of states for n processes, 2^n + n * 2^(n-1):
 * 8 for two, 20 for three (-D PROCESSES=3). Section 1.2 gives two properties.
 * Mutual exclusion holds. "Who waits will enter" does not: nothing keeps the
 * other process from being faster every time, under weak fairness too.
 *
 * expect: safety holds
 * states: 8 transitions: 14
 * ltl exclusion: holds
 * ltl enters: violated
 */

#ifndef PROCESSES
#define PROCESSES 2
#endif

bit free = 1;

active [PROCESSES] proctype process()
{
n:  skip;
w:  atomic { free == 1 -> free = 0 };
c:  free = 1;
    goto n
}

ltl exclusion { [] !(process[0]@c && process[1]@c) }
ltl enters    { [] (process[0]@w -> <> process[0]@c) }
