/*
 * The wolf, the goat and the cabbage: a puzzle solved by a counterexample.
 *
 * A farmer has to bring a wolf, a goat and a cabbage across a river. The boat
 * takes the farmer and one of them. Left alone, the wolf eats the goat, and the
 * goat eats the cabbage. The model allows every crossing after which nothing is
 * eaten, and asserts that the far bank is never reached by all. The trace that
 * violates the assertion is the solution; the shortest has seven crossings.
 *
 * expect: safety violated
 * states: 22 transitions: 31
 */

bit farmer, wolf, goat, cabbage;        /* 0: near bank, 1: far bank */

/* Row across with a passenger who is on the farmer's bank. */
inline cross(passenger)
{
    passenger = 1 - passenger;
    farmer = passenger
}

active proctype boat()
{
    do
    :: farmer && wolf && goat && cabbage ->
       assert(false);                   /* solved! */
       break
    :: else ->
       if                               /* what stays behind is safe: cross */
       :: atomic { goat != wolf && goat != cabbage -> farmer = 1 - farmer }
       :: atomic { wolf == farmer && goat != cabbage -> cross(wolf) }
       :: atomic { goat == farmer -> cross(goat) }
       :: atomic { cabbage == farmer && goat != wolf -> cross(cabbage) }
       fi
    od
}
