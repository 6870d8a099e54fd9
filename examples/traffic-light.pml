/*
 * Traffic lights that wait for silence: the `timeout` condition.
 *
 * Two roads cross, each with a light. A car that has crossed drives round the
 * block and comes back on the other road, so after a while every car waits at
 * the red light and nothing moves. That is what `timeout` means in Promela:
 * it becomes true exactly when no process can do anything else. The controller
 * takes it as the signal to change the lights.
 *
 * The assertion says that cars from both roads never meet. Both lights turn
 * green again and again (`both_green`): the model cannot run for ever without
 * a timeout in between, even if the scheduler is unfair.
 *
 * expect: safety holds
 * states: 252 transitions: 604
 * ltl both_green: holds
 */

#define CARS 3

bit green;                              /* the road that has green: 0 or 1 */
byte crossing[2];                       /* cars on the crossing, by road */

active [CARS] proctype car()
{
    bit road;

    do
    :: atomic { green == road -> crossing[road]++ };
       assert(crossing[1 - road] == 0);
       crossing[road]--;
       road = 1 - road                  /* round the block */
    od
}

active proctype controller()
{
    do
    :: timeout -> green = 1 - green
    od
}

ltl both_green { []<> (green == 0) && []<> (green == 1) }
