/*
 * A pipeline that sorts: each worker keeps the smallest number that it sees.
 *
 * The source chooses N numbers from 1 to VALUES and pushes them into the pipe.
 * Worker i sees N - i numbers; it keeps the smallest so far in its hand and
 * passes the others on. When the pipe has come to rest, the hands are sorted.
 * Which numbers were chosen is known by how often each occurs, so that the
 * last assertion can say that none was lost or invented.
 *
 * expect: safety holds
 * states: 36895 transitions: 114737
 * scale: -D N=5 -D VALUES=3 states: 5440778 transitions: 24974526
 * scale: -D N=5 -D VALUES=4 states: 18152883 transitions: 83585081
 */

#ifndef N
#define N 3
#endif
#ifndef VALUES
#define VALUES 3
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif

chan pipe[N] = [CAPACITY] of { byte };  /* pipe[i]: into worker i */

byte hand[N];                           /* what each worker holds; 0: nothing */
byte occurs[VALUES + 1];                /* of each number, those that are on their way */
byte done;                              /* workers that have seen all their numbers */

proctype worker(byte me)
{
    byte seen, number;

    do
    :: seen < N - me ->
       pipe[me]?number;
       if
       :: seen == 0 -> hand[me] = number
       :: seen > 0 ->
          if
          :: number >= hand[me] -> pipe[me + 1]!number
          :: number < hand[me] -> pipe[me + 1]!hand[me]; hand[me] = number
          fi
       fi;
       number = 0;
       seen++
    :: seen == N - me ->
       done++;
       break
    od
}

init
{
    byte sent, number;

    atomic {
        for (number : 0 .. N - 1) {
            run worker(number)
        }
        number = 0
    }
    do
    :: sent < N ->
       select(number : 1 .. VALUES);
       occurs[number]++;
       pipe[0]!number;
       sent++
    :: sent == N ->
       break
    od;
    done == N;
    d_step {
        for (sent : 0 .. N - 1) {
            assert(hand[sent] > 0);
            assert(sent == 0 || hand[sent - 1] <= hand[sent]);
            occurs[hand[sent]]--
        }
        for (number : 1 .. VALUES) {
            assert(occurs[number] == 0)
        }
    }
}
