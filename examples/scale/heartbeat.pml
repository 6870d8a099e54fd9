/*
 * A monitor that keeps a list of members by their heartbeats.
 *
 * A member joins by a handshake with the monitor, and belongs to the next view. The
 * monitor asks the members of its view in turn which view they know. One that has
 * crashed does not answer: it has missed a beat, and after MISSES of them in a row
 * it is excluded. One that knows another view is told the right one. Whenever
 * somebody comes or is excluded, the monitor installs a new view at all members
 * that are up, one handshake after the other.
 *
 * expect: safety holds
 * states: 921 transitions: 2493
 * scale: -D N=5 states: 2386459 transitions: 12384416
 */

#ifndef N
#define N 2
#endif
#ifndef MISSES
#define MISSES 1
#endif
#ifndef VIEWS
#define VIEWS 2                                 /* views are numbered modulo this */
#endif
#define NONE VIEWS

chan join = [0] of { byte };                    /* who */
chan beat[N] = [0] of { bit };
chan alive = [0] of { byte };                   /* the view that it knows */
chan install[N] = [0] of { byte };              /* the view to know */

bool up[N];
bool belongs[N];                                /* to the view */
byte view;

proctype member(byte me)
{
    byte knows = NONE;

    do
    :: atomic { join!me; up[me] = true };
       do
       :: atomic { beat[me]?1 -> alive!knows }
       :: atomic { install[me]?knows -> assert(belongs[me]) }
       :: atomic { up[me] = false; knows = NONE; break }        /* crashes */
       od
    od
}

active proctype monitor()
{
    byte who, known, missed[N];
    bool changed;

    do
    :: atomic {
           join?who ->
           belongs[who] = true;
           missed[who] = 0;
           changed = true;
           who = 0
       }
    :: atomic {
           changed ->
           view = (view + 1) % VIEWS;
           changed = false;
           do
           :: who < N && belongs[who] ->
              if
              :: install[who]!view
              :: !up[who]
              fi;
              who++
           :: who < N && !belongs[who] -> who++
           :: who == N -> break
           od;
           who = 0
       }
    :: atomic {
           !changed ->
           select(who : 0 .. N - 1);
           if
           :: !belongs[who]
           :: belongs[who] && !up[who] ->
              missed[who]++;
              if
              :: missed[who] > MISSES -> belongs[who] = false; missed[who] = 0; changed = true
              :: else
              fi
           :: belongs[who] && up[who] ->
              if
              :: beat[who]!1 ->
                 missed[who] = 0;
                 alive?known;
                 if
                 :: known != view -> install[who]!view
                 :: known == view
                 fi;
                 known = 0
              :: !up[who]                       /* crashed meanwhile */
              fi
           fi;
           who = 0
       }
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            run member(i)
        }
        i = 0
    }
}
