/*
 * A tour of the language: a small parcel office.
 *
 * A clerk accepts parcels, weighs them (any weight is possible: `select`), and
 * puts them into a queue that keeps the lightest in front (the sorted send
 * `!!`). A porter for each floor picks its own parcels out of the queue (the
 * random receive `??` with `eval`), carries them up, and signs for them.
 *
 * On the way you meet: typedef and arrays in it, mtype, unsigned, inline, for
 * over a range and over an array, select, d_step and atomic, conditional
 * expressions, polling a channel, len, and run with arguments.
 *
 * expect: safety holds
 * states: 32522 transitions: 71609
 */

#define PARCELS 3
#define FLOORS  2

mtype = { letter, box };

typedef Parcel {
    mtype kind;
    unsigned weight : 3;                /* 0 to 7 */
}

typedef Ledger {
    byte letters, boxes;
    byte weight[FLOORS];                /* of what was delivered there */
}

chan queue = [PARCELS] of { byte, byte, mtype };    /* weight, floor, kind */

Ledger ledger;
byte delivered[FLOORS];                 /* parcels that came to each floor */
byte accepted;                          /* the weight of all parcels */
byte finished;                          /* porters who went home */
bool closed;                            /* no more parcels will come */

inline classify(p)
{
    p.kind = (p.weight > 2 -> box : letter)
}

proctype clerk(byte parcels)
{
    Parcel p;
    byte i, floor, weight;

    for (i : 1 .. parcels) {
        select(weight : 1 .. 3);
        if                              /* any floor */
        :: floor = 0
        :: floor = 1
        fi;
        d_step {
            p.weight = weight;
            classify(p);
            accepted = accepted + p.weight
        }
        queue!!p.weight,floor,p.kind
    }
    closed = true
}

proctype porter(byte floor)
{
    byte weight;
    mtype kind;

    do
    :: queue??weight,eval(floor),kind ->
       assert((kind == box) == (weight > 2));
       atomic {
           delivered[floor]++;
           ledger.weight[floor] = ledger.weight[floor] + weight;
           if
           :: kind == box -> ledger.boxes++
           :: else -> ledger.letters++
           fi
       }
    :: closed && !queue??[_,eval(floor),_] ->
       break
    od;
    finished++
}

init
{
    byte f, parcels, weight;

    atomic {
        run clerk(PARCELS);
        for (f : 0 .. FLOORS - 1) {
            run porter(f)
        }
    }

    finished == FLOORS;                 /* wait until the work is done */
    d_step {
        for (f in delivered) {
            parcels = parcels + delivered[f];
            weight = weight + ledger.weight[f]
        }
    }
    assert(parcels == PARCELS);
    assert(ledger.letters + ledger.boxes == PARCELS);
    assert(weight == accepted);
    assert(len(queue) == 0)
}
