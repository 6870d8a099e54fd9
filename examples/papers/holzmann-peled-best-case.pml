/*
 * The best case of static reduction: local statements only.
 *
 * Holzmann and Peled, "An Improvement in Formal Verification" (FORTE 1994),
 * Table I, rows "Best-Case". The paper describes these models in half a
 * sentence ("artificial cyclic models, containing only local and only global
 * statements") and does not print them. This is a rebuild that has the printed
 * size: five processes of ten locations each, and the state before they start,
 * 10^5 + 1 states in full, and 450,002 transitions (the initial state counted
 * as one).
 *
 * Here `x` is a variable of each process. No order of the steps can be told
 * from another, and static reduction leaves one: 47 states, 47 transitions, as
 * printed. holzmann-peled-worst-case.pml is the same with one shared `x`.
 *
 * expect: safety holds
 * states: 100001 transitions: 450001
 */

proctype worker()
{
    byte x;

    x = 0; x = 0; x = 0;
    x = 0; x = 0; x = 0;
    x = 0; x = 0; x = 0;
end:
    false                   /* stay here for ever: a valid end state */
}

init
{
    atomic {
        run worker();
        run worker();
        run worker();
        run worker();
        run worker()
    }
}
