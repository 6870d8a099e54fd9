/*
 * A bank of lifts with a dispatcher.
 *
 * A person calls at the dispatcher, who sends the lift that has had nothing to do
 * for longest; if there is none, the dispatcher waits for one. The lift comes floor by
 * floor and opens its doors. The person gets in and names a floor, which is one
 * handshake each, and gets out there. Then the lift tells the dispatcher that it is
 * idle.
 *
 * expect: safety holds
 * states: 5109 transitions: 12856
 * scale: -D PERSONS=4 -D FLOORS=3 states: 2146366 transitions: 6152036
 * scale: -D PERSONS=3 -D FLOORS=5 states: 6233757 transitions: 17633290
 */

#ifndef LIFTS
#define LIFTS 2
#endif
#ifndef PERSONS
#define PERSONS 2
#endif
#ifndef FLOORS
#define FLOORS 2
#endif

chan call = [0] of { byte, byte };              /* who, at which floor */
chan go[LIFTS] = [0] of { byte, byte };         /* to whom, at which floor */
chan doors[PERSONS] = [0] of { byte };          /* which lift */
chan button[LIFTS] = [0] of { byte };           /* which floor */
chan idle = [0] of { byte };                    /* which lift */
chan pool = [LIFTS] of { byte };                /* lifts that have nothing to do */

byte floor[LIFTS];                              /* where the lifts are */
byte riding[LIFTS];                             /* how many are inside */

proctype person(byte me)
{
    byte at, goal, lift;

    do
    :: atomic { call!me,at };
       atomic {
           doors[me]?lift ->
           assert(floor[lift] == at && riding[lift] == 0);
           riding[lift]++;
           select(goal : 1 .. FLOORS - 1);
           goal = (at + goal) % FLOORS;
           button[lift]!goal
       };
       atomic {
           doors[me]?eval(lift) ->
           assert(floor[lift] == goal && riding[lift] == 1);
           riding[lift]--;
           at = goal;
           goal = 0;
           lift = 0
       }
    od
}

proctype cabin(byte me)
{
    byte who, target;

end:
    do
    :: go[me]?who,target ->
       do
       :: floor[me] < target -> floor[me]++
       :: floor[me] > target -> floor[me]--
       :: floor[me] == target -> break
       od;
       atomic { target = 0; doors[who]!me; button[me]?target };
       do
       :: floor[me] < target -> floor[me]++
       :: floor[me] > target -> floor[me]--
       :: floor[me] == target -> break
       od;
       atomic { target = 0; doors[who]!me; who = 0; idle!me }
    od
}

active proctype dispatcher()
{
    byte who, at, lift;

    atomic {
        for (lift : 0 .. LIFTS - 1) {
            pool!lift
        }
        lift = 0
    };
end:
    do
    :: atomic {
           call?who,at ->
           if
           :: nempty(pool) -> pool?lift
           :: empty(pool) -> idle?lift
           fi;
           go[lift]!who,at;
           who = 0;
           at = 0;
           lift = 0
       }
    :: atomic { idle?lift -> pool!lift; lift = 0 }
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. LIFTS - 1) {
            run cabin(i)
        }
        for (i : 0 .. PERSONS - 1) {
            run person(i)
        }
        i = 0
    }
}
