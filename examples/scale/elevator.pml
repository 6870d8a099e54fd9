/*
 * An elevator and its passengers.
 *
 * A passenger calls the cabin, waits for it, names a floor, rides there, and
 * some time later wants to go elsewhere. The cabin keeps its direction as long
 * as there is a call or a wish further that way. At a floor where someone wants
 * to get in or out it opens the doors and waits until they have.
 *
 * expect: safety holds
 * states: 5892 transitions: 13992
 * scale: -D FLOORS=5 -D PERSONS=3 states: 2169266 transitions: 7270276
 * scale: -D FLOORS=4 -D PERSONS=4 states: 11366520 transitions: 48790246
 * ltl rides: holds
 * ltl grounded: violated
 */

#ifndef FLOORS
#define FLOORS 3
#endif
#ifndef PERSONS
#define PERSONS 2
#endif

bool called[FLOORS];                    /* someone waits here */
byte wishes[FLOORS];                    /* passengers inside who go there */
byte waiting[FLOORS];                   /* persons outside who wait here */
byte floor;                             /* where the cabin is */
bool open;                              /* the doors */
byte aboard;

active [PERSONS] proctype person()
{
    byte at, goal;

    do
    :: atomic {                         /* wants to go somewhere else */
           select(goal : 0 .. FLOORS - 1);
           if
           :: goal != at
           :: else -> goal = (at + 1) % FLOORS
           fi;
           waiting[at]++;
           called[at] = true
       }
calls: atomic {
           open && floor == at ->
           waiting[at]--;
           wishes[goal]++;
           aboard++;
           at = goal;
           goal = 0
       }
rides: atomic {
           open && floor == at ->
           wishes[at]--;
           aboard--
       }
    od
}

active proctype cabin()
{
    byte f;
    bool up = true, more;

    do
    :: called[floor] || wishes[floor] > 0 ->
       open = true;
       called[floor] = false;
       waiting[floor] == 0 && wishes[floor] == 0;
       open = false
    :: !called[floor] && wishes[floor] == 0 ->
       d_step {                         /* is there anything to do further this way? */
           more = false;
           for (f : 0 .. FLOORS - 1) {
               more = more || ((called[f] || wishes[f] > 0) && (up -> f > floor : f < floor))
           }
           f = 0
       }
       if
       :: more ->
          assert(!open);
          floor = (up -> floor + 1 : floor - 1)
       :: !more ->
          up = !up
       fi;
       more = false
    od
}

/* Whoever calls rides: the cabin waits for everyone, and keeps its direction. */
ltl rides     { [] (person[0]@calls -> <> person[0]@rides) }
/* Nobody promised that the cabin comes back to the ground floor. */
ltl grounded  { []<> (floor == 0) }
