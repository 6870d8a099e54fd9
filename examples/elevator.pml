/*
 * An elevator with an alarm: the `unless` statement.
 *
 * The cabin answers calls: it keeps its direction as long as someone waits
 * that way. All of its work stands in a block { ... } unless { ... }. As soon
 * as the alarm rings, whatever the cabin is doing is left, and the part after
 * `unless` takes over: the motor stops, and when the alarm is reset the cabin
 * starts again.
 *
 * The doors are never open while the motor runs (`doors_shut`). A call is not
 * always answered (`answered`): the alarm may ring each time. A fair scheduler
 * does not change that.
 *
 * expect: safety holds
 * states: 14600 transitions: 33978
 * ltl doors_shut: holds
 * ltl answered: violated
 */

#define FLOORS 3

bool called[FLOORS];                    /* someone waits on this floor */
bool motor, doors, alarm;               /* running, open, ringing */

active proctype cabin()
{
    byte floor, f;
    bool up = true, more;

start:
    {
        do
        :: called[floor] ->
           doors = true;
           called[floor] = false;
           doors = false
        :: !called[floor] ->
           d_step {                     /* does anyone wait further this way? */
               more = false;
               for (f : 0 .. FLOORS - 1) {
                   more = more || (called[f] && (up -> f > floor : f < floor))
               }
               f = 0
           }
           if
           :: more ->
              motor = true;
              assert(!doors);
              floor = (up -> floor + 1 : floor - 1);
              motor = false
           :: else ->
              up = !up
           fi
        od
    } unless {
        alarm;
        motor = false;
        doors = false;
        !alarm;
        goto start
    }
}

active proctype people()
{
    byte floor;

    do
    :: select(floor : 0 .. FLOORS - 1);
       called[floor] = true
    :: alarm = true;
       alarm = false
    od
}

ltl doors_shut { [] !(motor && doors) }
ltl answered   { [] (called[0] -> <> !called[0]) }
