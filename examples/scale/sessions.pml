/*
 * A server with a table of sessions, and clients that log in and out.
 *
 * A client logs in and hears at once whether there is room. Then it asks up to two
 * questions, and logs out. When the table is full, a session may expire and be given
 * to another client; its client hears that when it asks, and has to log in again. The
 * table belongs to all servers.
 *
 * Asking and hearing the answer are handshakes inside `atomic`, one after the other
 * when logging in, apart when asking a question.
 *
 * expect: safety holds
 * states: 1032 transitions: 2585
 * scale: -D CLIENTS=4 -D SESSIONS=2 states: 4334289 transitions: 17394057
 */

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef SESSIONS
#define SESSIONS 1
#endif
#ifndef SERVERS
#define SERVERS 1
#endif
#define FREE CLIENTS

mtype = { login, query, logout, welcome, refused, result, expired };

chan call = [0] of { mtype, byte, byte };           /* what, who, session */
chan answer[CLIENTS] = [0] of { mtype, byte };      /* what, session */

byte owner[SESSIONS] = FREE;
byte open;

proctype client(byte me)
{
    byte session, queries;

    do
    :: atomic {                                     /* to log in, and hear at once */
           call!login,me,0;
           if
           :: answer[me]?welcome,session
           :: answer[me]?refused,_ -> goto away
           fi
       }
       do
       :: atomic {
              queries < 2 ->
              call!query,me,session;
              queries++
          };
          if
          :: answer[me]?result,_
          :: atomic { answer[me]?expired,_ -> queries = 0; session = 0; break }
          fi
       :: atomic {
              queries > 0 ->
              call!logout,me,session;
              queries = 0;
              session = 0;
              break
          }
       od;
away:
       skip
    od
}

proctype server()
{
    byte who, at;
    mtype what;

    do
    :: atomic {
           call?login,who,_ ->
           do
           :: at < SESSIONS && owner[at] != FREE -> at++
           :: else -> break
           od;
           if
           :: at < SESSIONS ->
              owner[at] = who;
              open++;
              assert(open <= SESSIONS);
              answer[who]!welcome,at
           :: at == SESSIONS ->
              answer[who]!refused,0
           fi;
           who = 0;
           at = 0
       }
    :: atomic { call?query,who,at; what = (owner[at] == who -> result : expired) };
       atomic { answer[who]!what,0; who = 0; at = 0; what = 0 }
    :: atomic {
           call?logout,who,at ->
           if
           :: owner[at] == who ->
              owner[at] = FREE;
              open--
           :: else
           fi;
           who = 0;
           at = 0
       }
    od
}

active proctype clock()                             /* sessions do not last for ever */
{
    byte at;

    do
    :: atomic {
           open == SESSIONS ->
           select(at : 0 .. SESSIONS - 1);
           owner[at] = FREE;
           open--;
           at = 0
       }
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. CLIENTS - 1) {
            run client(i)
        }
        for (i : 1 .. SERVERS) {
            run server()
        }
        i = 0
    }
}
