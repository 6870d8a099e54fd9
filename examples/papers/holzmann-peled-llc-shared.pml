/*
 * A link layer whose input queues are shared: two users, two ends of a link.
 *
 * Holzmann and Peled, "An Improvement in Formal Verification" (FORTE 1994),
 * Section 6.2 and Figure 2a. Their model of the IEEE 802.2 Logical Link Control
 * protocol is not printed. This one is our own, made after the description: the
 * messages of the user and those of the other end arrive in one queue, so that
 * nobody has the right to send to it alone, and every order in which they may
 * arrive is another state.
 *
 * What an end cannot send yet it has to take from its queue and to count, since
 * what it waits for may be behind it. The queue has room for everything that can
 * be under way; with less, both ends may wait for each other.
 *
 * holzmann-peled-llc-split.pml is the same protocol with a queue for each
 * source. The paper: 1,851,049 states in full and 111,159 with static reduction;
 * with queues that are split 19,407 and 2,000. These files, with REQUESTS=7:
 * 2,143,151 and 170,492; 16,751 and 1,549.
 *
 * expect: safety holds
 * states: 90839 transitions: 289971
 * scale: -D REQUESTS=6 states: 852359 transitions: 2877405
 * scale: -D REQUESTS=7 states: 2143151 transitions: 7369425
 */

#ifndef REQUESTS
#define REQUESTS 4      /* what each user wants to have sent */
#endif

mtype = {
    connect, data,      /* what a user asks for */
    connected,          /* what it is told */
    sabme, ua,          /* frames: open the link, agreed */
    info, rr            /* frames: data with its number, ready for this number */
};

chan input[2] = [REQUESTS + 2] of { mtype, bit };   /* to an end: from its user and from the other end */
chan service[2] = [1] of { mtype };                 /* from an end to its user */

proctype user(chan link, told)
{
    byte sent;

    xr told;

    link!connect(0);
    told?connected;
    do
    :: atomic { sent < REQUESTS -> sent++ };
        link!data(0)
    :: sent == REQUESTS -> break
    od
}

proctype llc(chan in, out, tell)
{
    byte waiting;           /* requests that were taken and not sent */
    bit next, expected;     /* the numbers of the next frame to send and to receive */

    xr in;
    xs tell;

end_closed:
    if
    :: in?connect(_) -> out!sabme(0)
    :: in?sabme(_) -> out!ua(0); goto opened
    fi;
setup:
    if
    :: in?sabme(_) -> out!ua(0); goto setup     /* both want to open it */
    :: in?ua(_)
    fi;
opened:
    tell!connected;
end_idle:
    if
    :: in?connect(_) -> goto end_idle           /* the other end was faster */
    :: in?data(_)
    :: atomic { in?info(eval(expected)) -> expected = 1 - expected };
        out!rr(expected); goto end_idle
    fi;
send:
    out!info(next);
busy:
    if
    :: in?connect(_) -> goto busy
    :: atomic { in?data(_) -> waiting++ }; goto busy
    :: atomic { in?info(eval(expected)) -> expected = 1 - expected };
        out!rr(expected); goto busy
    :: atomic { in?rr(eval(1 - next)) -> next = 1 - next }
    fi;
    if
    :: atomic { waiting > 0 -> waiting-- }; goto send
    :: waiting == 0 -> goto end_idle
    fi
}

init
{
    atomic {
        run user(input[0], service[0]);
        run user(input[1], service[1]);
        run llc(input[0], input[1], service[0]);
        run llc(input[1], input[0], service[1])
    }
}
