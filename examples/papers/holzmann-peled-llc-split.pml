/*
 * A link layer with a queue for each source: two users, two ends of a link.
 *
 * Holzmann and Peled, "An Improvement in Formal Verification" (FORTE 1994),
 * Section 6.2 and Figure 2b: "By splitting these two queues, using a separate
 * queue for each source of information, all queues in the revised model obtain
 * both exclusive receive- and exclusive send-access." The protocol is that of
 * holzmann-peled-llc-shared.pml; like that it is our own, made after the
 * description.
 *
 * An end leaves the requests of its user where they are until it can send, and
 * so one place in each queue is enough.
 *
 * The paper: from 1,851,049 states to 19,407 in full, and from 111,159 to 2,000
 * with static reduction. These files, with REQUESTS=7: from 2,143,151 to 16,751,
 * and from 170,492 to 1,549.
 *
 * expect: safety holds
 * states: 5591 transitions: 15327
 * scale: -D REQUESTS=6 states: 12359 transitions: 34299
 * scale: -D REQUESTS=7 states: 16751 transitions: 46641
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

chan request[2] = [1] of { mtype };         /* to an end from its user */
chan frame[2] = [1] of { mtype, bit };      /* to an end from the other end */
chan service[2] = [1] of { mtype };         /* from an end to its user */

proctype user(chan link, told)
{
    byte sent;

    xs link;
    xr told;

    link!connect;
    told?connected;
    do
    :: atomic { sent < REQUESTS -> sent++ };
        link!data
    :: sent == REQUESTS -> break
    od
}

proctype llc(chan asked, in, out, tell)
{
    bit next, expected;     /* the numbers of the next frame to send and to receive */

    xr asked;
    xr in;
    xs out;
    xs tell;

end_closed:
    if
    :: asked?connect -> out!sabme(0)
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
    :: asked?connect -> goto end_idle           /* the other end was faster */
    :: asked?data
    :: atomic { in?info(eval(expected)) -> expected = 1 - expected };
        out!rr(expected); goto end_idle
    fi;
    out!info(next);
busy:
    if
    :: atomic { in?info(eval(expected)) -> expected = 1 - expected };
        out!rr(expected); goto busy
    :: atomic { in?rr(eval(1 - next)) -> next = 1 - next }; goto end_idle
    fi
}

init
{
    atomic {
        run user(request[0], service[0]);
        run user(request[1], service[1]);
        run llc(request[0], frame[0], frame[1], service[0]);
        run llc(request[1], frame[1], frame[0], service[1])
    }
}
