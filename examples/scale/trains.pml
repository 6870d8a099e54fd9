/*
 * Trains on N tracks before a bridge with one track, and its controller.
 *
 * A train that comes near says so. The controller lets it go on if the bridge is
 * free, and else stops it, if it can still be stopped: after that the train waits
 * for the signal to go. Those who wait are kept in the order of their arrival.
 * Trains talk to the controller by rendezvous.
 *
 * The controller is never late in this model: a train asks, and hears at once
 * whether it has to stop.
 *
 * expect: safety holds
 * states: 428 transitions: 730
 * scale: -D N=8 states: 3374794 transitions: 5953385
 * scale: -D N=9 states: 30374120 transitions: 53582680
 * ltl crosses: holds
 * ltl rest: violated
 */

#ifndef N
#define N 3
#endif

mtype = { near, gone, pass, stop, go };

chan report = [0] of { mtype, byte };   /* what, who */
chan signal[N] = [0] of { mtype };
chan queue = [N] of { byte };           /* who waits, the first to come first */

byte on_bridge;                         /* how many */

proctype train(byte me)
{
    do
    :: report!near,me;
       if
       :: signal[me]?pass
       :: signal[me]?stop ->
waits:    signal[me]?go
       fi;
starts:
       skip;                            /* takes its time */
       on_bridge++;
crosses:
       assert(on_bridge == 1);
       on_bridge--;
       report!gone,me
    od
}

active proctype controller()
{
    byte who;
    bool taken;

    do
    :: report?near,who ->
       if
       :: !taken ->
          taken = true;
          signal[who]!pass
       :: taken ->
          signal[who]!stop;
          queue!who
       fi;
       who = 0
    :: report?gone,who ->
       if
       :: nempty(queue) ->
          queue?who;
          signal[who]!go
       :: empty(queue) ->
          taken = false
       fi;
       who = 0
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            run train(i)
        }
    }
}

/* A train that was stopped crosses. */
ltl crosses    { [] (train[2]@waits -> <> train[2]@crosses) }
/* The bridge need not fall silent. */
ltl rest       { []<> (on_bridge == 0 && len(queue) == 0) }
