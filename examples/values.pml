/*
 * Devices send signals to a guard, who waits for a reset and throws all other
 * signals away; and they count their failures, of which an alarm wants to know
 * only whether there were two. So three signals of four are as good as one, and
 * two failures are as good as six.
 *
 * expect: safety holds
 * states: 23930 transitions: 90720
 * With `--reduce values`: 3884 states, 18186 transitions.
 */

mtype = { tick, data, status, reset };

chan signals = [2] of { mtype };
byte failures;
bool alarmed;

active [3] proctype device()
{
    if
    :: signals!tick
    :: signals!data
    :: signals!status
    :: failures++; signals!reset
    fi;
    if
    :: signals!status
    :: failures++
    fi
}

active proctype guard()
{
    mtype signal;

end:
    do
    :: signals?signal ->
       if
       :: signal == reset -> alarmed = false
       :: else
       fi
    od
}

active proctype alarm()
{
end:
    failures >= 2;
    alarmed = true
}
