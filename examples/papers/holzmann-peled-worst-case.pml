/*
 * The worst case of static reduction: global statements only.
 *
 * Holzmann and Peled, "An Improvement in Formal Verification" (FORTE 1994),
 * Table I, rows "Worst-Case". The paper describes these models in half a
 * sentence ("artificial cyclic models, containing only local and only global
 * statements") and does not print them. This is a rebuild that has the printed
 * size: five processes of ten locations each, and the state before they start,
 * 10^5 + 1 states in full, and 450,002 transitions (the initial state counted
 * as one).
 *
 * Here `x` is shared. All steps touch it, none can be shown to be independent
 * of the others by looking at the text, and static reduction leaves all states,
 * as printed. holzmann-peled-best-case.pml is the same with an `x` for each.
 *
 * expect: safety holds
 * states: 100001 transitions: 450001
 */

byte x;

proctype worker()
{
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
