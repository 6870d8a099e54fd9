/*
 * Merge sort by processes that create processes.
 *
 * A sorter with one number hands it over. A sorter with more starts two others,
 * one for each half, and merges what they send. Each makes its own two channels
 * and gives them to its children as parameters: a `chan` is a value like any
 * other. The children of a process must end before it can; process numbers are
 * given out again then.
 *
 * All orders of the steps lead to the same result, sorted: this is what the
 * assertions in `init` say.
 *
 * expect: safety holds
 * states: 96809 transitions: 386623
 */

#define LENGTH 4

byte number[LENGTH];

proctype sorter(byte first, count; chan result)
{
    chan left = [1] of { byte };
    chan right = [1] of { byte };
    byte l, r;                          /* the next of each half; 0: no more */

    if
    :: count == 1 ->
       result!number[first]
    :: else ->
       run sorter(first, count / 2, left);
       run sorter(first + count / 2, count - count / 2, right);
       left?l;
       right?r;
       do
       :: l != 0 && (r == 0 || l <= r) -> result!l; left?l
       :: r != 0 && (l == 0 || r < l) -> result!r; right?r
       :: l == 0 && r == 0 -> break
       od
    fi;
    result!0                            /* no more */
}

init
{
    chan result = [1] of { byte };
    byte previous, next;

    d_step {
        number[0] = 3;
        number[1] = 1;
        number[2] = 4;
        number[3] = 2
    }
    run sorter(0, LENGTH, result);
    do
    :: result?next ->
       if
       :: next == 0 -> break
       :: else ->
          assert(next == previous + 1);     /* 1 2 3 4 */
          previous = next
       fi
    od;
    assert(previous == LENGTH)
}
