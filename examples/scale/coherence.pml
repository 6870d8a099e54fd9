/*
 * Cache coherence by snooping: the MESI protocol on one bus.
 *
 * Each of N processors has a cache that holds every line as modified, exclusive,
 * shared or invalid. To read a line that it does not have, or to write one that
 * it may not, it takes the bus and asks. The other caches answer one by one: they
 * write back what they have modified, and share or give up their copy. A cache
 * may drop a line at any time; a modified one is written back over the bus.
 *
 * `latest` is what was written last. The assertions say that who reads gets
 * that, and that nobody else has a copy of a line that is modified.
 *
 * expect: safety holds
 * states: 93264 transitions: 239456
 * scale: -D LINES=3 states: 3883040 transitions: 10371360
 * scale: -D N=3 -D LINES=2 states: 2630252 transitions: 9394368
 */

#ifndef N
#define N 2
#endif
#ifndef LINES
#define LINES 2
#endif
#ifndef VALUES
#define VALUES 2                        /* what can be written */
#endif

#define INVALID   0
#define SHARED    1
#define EXCLUSIVE 2
#define MODIFIED  3

#define NOBODY N

typedef Cache {
    byte state[LINES];
    byte value[LINES]
};

Cache cache[N];
byte memory[LINES];
byte latest[LINES];
byte bus = NOBODY;                      /* who has it */

/* The other caches answer to a request for `line`. */
inline ask(to_write)
{
    others = false;
    for (other : 0 .. N - 1) {
        d_step {
            if
            :: other == _pid || cache[other].state[line] == INVALID
            :: else ->
               others = true;
               if
               :: cache[other].state[line] == MODIFIED -> memory[line] = cache[other].value[line]
               :: else
               fi;
               if
               :: to_write ->
                  cache[other].state[line] = INVALID;
                  cache[other].value[line] = 0
               :: !to_write ->
                  cache[other].state[line] = SHARED
               fi
            fi
        }
    }
    other = 0
}

/* Write something into `line`, which nobody else may have. */
inline write()
{
    for (other : 0 .. N - 1) {
        assert(other == _pid || cache[other].state[line] == INVALID)
    }
    other = 0;
    select(value : 0 .. VALUES - 1);
    cache[_pid].state[line] = MODIFIED;
    cache[_pid].value[line] = value;
    latest[line] = value;
    value = 0
}

active [N] proctype processor()
{
    byte line, other, value;
    bool others;

    do
    :: atomic { select(line : 0 .. LINES - 1) };
       if
       :: d_step {                                              /* read: a hit */
              cache[_pid].state[line] != INVALID ->
              assert(cache[_pid].value[line] == latest[line])
          }
       :: atomic { cache[_pid].state[line] == INVALID && bus == NOBODY -> bus = _pid };
          ask(false);                                           /* read: a miss */
          d_step {
              cache[_pid].value[line] = memory[line];
              cache[_pid].state[line] = (others -> SHARED : EXCLUSIVE);
              assert(cache[_pid].value[line] == latest[line]);
              others = false;
              bus = NOBODY
          }
       :: atomic { cache[_pid].state[line] >= EXCLUSIVE -> write() }
       :: atomic { cache[_pid].state[line] < EXCLUSIVE && bus == NOBODY -> bus = _pid };
          ask(true);
          atomic {
              write();
              others = false;
              bus = NOBODY
          }
       :: d_step {                                              /* drop: others know as much */
              cache[_pid].state[line] == SHARED || cache[_pid].state[line] == EXCLUSIVE ->
              cache[_pid].state[line] = INVALID;
              cache[_pid].value[line] = 0
          }
       :: d_step {                                              /* drop: write back */
              cache[_pid].state[line] == MODIFIED && bus == NOBODY ->
              memory[line] = cache[_pid].value[line];
              cache[_pid].state[line] = INVALID;
              cache[_pid].value[line] = 0
          }
       fi;
       line = 0
    od
}
