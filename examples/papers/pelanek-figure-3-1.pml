/*
 * Three commands, ten states: the running example of on-the-fly reductions.
 *
 * Pelánek, "Reduction and Abstraction Techniques for Model Checking" (thesis),
 * Figure 3.1; Figures 3.3 and 3.4 show its reductions by dead variables and by
 * partial order. The guarded commands are
 *
 *     a:    x = 0             -->  x := 1
 *     b:    x = 1 and y >= 1  -->  x := 0, z := 1
 *     tau:  y < 2             -->  y := y + 1
 *
 * Each is a process of its own here that does nothing but repeat its command,
 * guard and effect in one atomic step: a state is just the vector (x, y, z).
 * Nobody ever reads z.
 *
 * expect: safety holds
 * states: 10 transitions: 15
 */

byte x, y, z;

active proctype a()
{
    do
    :: atomic { x == 0 -> x = 1 }
    od
}

active proctype b()
{
    do
    :: atomic { x == 1 && y >= 1 -> x = 0; z = 1 }
    od
}

active proctype tau()
{
    do
    :: atomic { y < 2 -> y = y + 1 }
    od
}
