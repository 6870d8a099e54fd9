/*
 * The bounded retransmission protocol: a file over a line that loses messages,
 * with a limit to patience.
 *
 * The sender transmits a file of LENGTH chunks one at a time, each with a bit that
 * alternates. If no acknowledgement comes it tries again, RETRIES times at most;
 * then it gives up and reports that it failed, or that it does not know if only
 * the last chunk is open. The receiver that hears nothing for long reports what
 * it has. The timers are not modelled as clocks: the sender's goes off when a
 * message has been lost, the receiver's when the sender has given up.
 *
 * The assertions compare what the two sides report. After each file there is a
 * next one, FILES in all. The graph is deep and narrow.
 *
 * expect: safety holds
 * states: 8939 transitions: 13670
 * scale: -D LENGTH=100 -D RETRIES=20 -D FILES=100 states: 8850875 transitions: 13939046
 */

#ifndef LENGTH
#define LENGTH 10
#endif
#ifndef RETRIES
#define RETRIES 4
#endif
#ifndef FILES
#define FILES 4
#endif

mtype = { ok, not_ok, dont_know, working };

chan data = [1] of { byte, bool, bit };         /* chunk, is it the last? its bit */
chan acks = [1] of { bit };
chan next = [0] of { bit };                     /* both sides start a new file */

bool lost;                              /* a message or acknowledgement: the timer will go off */
mtype sent = working, got = working;    /* the reports */
bool given_up;

active proctype sender()
{
    byte file, chunk, retries;
    bit mine;

    for (file : 1 .. FILES) {
        chunk = 1;
        do
        :: data!chunk,(chunk == LENGTH),mine;
           if
           :: acks?eval(mine) ->
              retries = 0;
              mine = 1 - mine;
              if
              :: chunk < LENGTH -> chunk++
              :: chunk == LENGTH -> sent = ok; break
              fi
           :: lost ->
              lost = false;
              if
              :: retries < RETRIES -> retries++
              :: retries == RETRIES ->
                 sent = (chunk == LENGTH -> dont_know : not_ok);
                 given_up = true;
                 break
              fi
           fi
        od;
        got != working;                 /* the receiver's timer is longer than mine */
        assert(sent != ok || got == ok);
        assert(sent != not_ok || got == not_ok);
        d_step {
            mine = 0;
            retries = 0;
            chunk = 0;
            sent = working;
            got = working;
            given_up = false
        }
        next!1
    }
}

active proctype receiver()
{
    byte chunk, received;
    bit wanted, heard;
    bool last;

end:
    do
    :: data?chunk,last,heard ->
       if
       :: heard == wanted ->
          received++;
          assert(chunk == received);
          wanted = 1 - wanted;
          if
          :: last -> got = ok
          :: else
          fi
       :: heard != wanted               /* a repetition: only acknowledge */
       fi;
       acks!heard;
       d_step { chunk = 0; last = false; heard = 0 }
    :: given_up && got == working ->
       got = not_ok
    :: next?1 ->
       d_step { received = 0; wanted = 0 }
    od
}

/* Loses messages. */
active proctype line()
{
end:
    do
    :: atomic { data?_,_,_ -> lost = true }
    :: atomic { acks?_ -> lost = true }
    od
}
