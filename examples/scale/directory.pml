/*
 * Cache coherence with a directory: messages instead of a bus.
 *
 * The home of a memory line knows who has a copy. A cache sends it requests: to
 * read, to write, or to give a modified line back. Home serves one request at a
 * time. It recalls the line from its owner, or has the readers drop it, collects
 * their replies, and then grants the request. A shared line is dropped without
 * a word, so a cache may be told to drop what it no longer has; and a recall may
 * cross with the message that gives the line back.
 *
 * A line is written with a value that changes each time, modulo VALUES. The
 * assertions say that whoever may read sees what was written last, and that a
 * writer is alone.
 *
 * expect: safety holds
 * states: 20415 transitions: 53771
 * scale: -D N=3 -D VALUES=4 states: 4912768 transitions: 17352906
 */

#ifndef N
#define N 2
#endif
#ifndef VALUES
#define VALUES 2
#endif

mtype = { read, write, give, recall, drop, grant, done };
mtype = { invalid, shared, modified, asking_read, asking_write, giving };

#define NOBODY N

chan requests = [N] of { mtype, byte, byte };   /* what, who, value */
chan replies = [N] of { byte };                 /* value */
chan to_cache[N] = [2] of { mtype, byte };      /* what, value */

byte latest;                            /* written last */
byte readers, writers;                  /* how many may read, write */

proctype cache(byte me)
{
    mtype state = invalid;
    byte value;

end:
    do
    :: state == invalid -> requests!read,me,0; state = asking_read
    :: state == invalid || state == shared ->
       atomic {
           if
           :: state == shared -> readers--
           :: else
           fi;
           state = asking_write;
           value = 0
       }
       requests!write,me,0
    :: atomic { state == shared -> state = invalid; value = 0; readers-- }
    :: state == modified ->
       atomic {                         /* write once more */
           value = (value + 1) % VALUES;
           latest = value
       }
    :: atomic { state == modified -> state = giving; writers-- };
       requests!give,me,value
    :: state == shared || state == modified ->
       assert(value == latest && writers == (state == modified -> 1 : 0))
    :: to_cache[me]?grant,value ->
       atomic {
           if
           :: state == asking_read -> state = shared; readers++
           :: state == asking_write ->
              state = modified;
              writers++;
              assert(readers == 0 && writers == 1)
           fi;
           assert(value == latest)
       }
    :: to_cache[me]?drop,_ ->
       atomic {
           if
           :: state == shared -> state = invalid; value = 0; readers--
           :: else                      /* dropped before, or asked for more since */
           fi
       }
       replies!0
    :: to_cache[me]?recall,_ ->
       atomic {
           if
           :: state == modified -> state = invalid; writers--
           :: else -> assert(state == giving)
           fi
       }
       replies!value;
       value = (state == giving -> value : 0)
    :: to_cache[me]?done,_ ->
       atomic {
           assert(state == giving);
           state = invalid;
           value = 0
       }
    od
}

init
{
    byte memory, who, value, other, owner = NOBODY;
    bool has_copy[N];
    mtype what;

    atomic {
        for (other : 0 .. N - 1) {
            run cache(other)
        }
        other = 0
    }
end:
    do
    :: requests?what,who,value ->
       if
       :: what == give ->
          atomic {
              if
              :: owner == who -> memory = value; owner = NOBODY
              :: else                   /* it was recalled meanwhile */
              fi
          }
          to_cache[who]!done,0
       :: what != give ->
          if
          :: owner != NOBODY ->
             to_cache[owner]!recall,0;
             replies?memory;
             owner = NOBODY
          :: else
          fi;
          if
          :: what == write ->
             for (other : 0 .. N - 1) {
                 if
                 :: has_copy[other] && other != who ->
                    to_cache[other]!drop,0;
                    replies?_
                 :: else
                 fi;
                 has_copy[other] = false
             }
             other = 0;
             owner = who
          :: what == read ->
             has_copy[who] = true
          fi;
          to_cache[who]!grant,memory
       fi;
       what = 0;
       who = 0;
       value = 0
    od
}
