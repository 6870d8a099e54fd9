/*
 * A vending machine, watched by a trace assertion.
 *
 * A `trace` declaration says in which order messages may pass on the channels
 * that it names; it is a referee that sees every send (or receive) there and
 * never takes part. Here: a coin, then tea or coffee, then a coin again. Sends
 * on other channels, such as `display`, do not matter to it.
 *
 * With -D GENEROUS the machine delivers twice now and then, and the referee
 * reports the send that has no place in the trace.
 *
 * expect: safety holds
 * states: 31 transitions: 42
 */

mtype = { coin, tea, coffee, thanks };

chan slot = [1] of { mtype };
chan button = [0] of { mtype };
chan tray = [1] of { mtype };
chan display = [1] of { mtype };

active proctype customer()
{
    mtype wish;

    do
    :: slot!coin;
       if
       :: wish = tea
       :: wish = coffee
       fi;
       button!wish;
       tray?eval(wish);                 /* exactly what was asked for */
#ifdef GENEROUS
       do
       :: tray?_
       :: empty(tray) -> break
       od;
#endif
       display?thanks
    od
}

active proctype machine()
{
    mtype choice;

    do
    :: slot?coin;
       button?choice;
       tray!choice;
#ifdef GENEROUS
       if
       :: tray!choice
       :: skip
       fi;
#endif
       display!thanks
    od
}

trace {
    do
    :: slot!coin;
       if
       :: tray!tea
       :: tray!coffee
       fi
    od
}
