/*
 * A hidden variable that only the initialiser of a local one reads.
 *
 * states: 6 transitions: 5
 * faults: assertion@12
 */
hidden byte h;

proctype Q()
{
    byte x = h;
    assert(x == 0)
}

init { h = 5; run Q() }
