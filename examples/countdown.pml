/*
 * A launch that nobody stops in time. Three crews test what they have until the
 * count has reached zero; from then on each step of the launch follows the one
 * before it, whatever the crews do, and at its end the hatch is open.
 *
 * From the state in which the count is zero the failure is reached for certain:
 * only the steps that lead to it are taken.
 *
 * expect: safety violated
 * states: 360 transitions: 1432
 * Until the error, with `-p assertions --order bfs --threads 1`: 340 states with
 * `--reduce none`, 244 with `--reduce doomed`.
 */

byte count = 20;
bit hatch = 1, fuel, spark;

active proctype launch()
{
    do
    :: count > 0 -> count--
    :: count == 0 -> break
    od;
    fuel = 1;
    spark = fuel;
    assert(spark == 0)
}

active [3] proctype crew()
{
    do
    :: skip; skip
    od
}
