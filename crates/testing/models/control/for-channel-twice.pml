/*
 * Loops over channels in one scope count with one hidden variable.
 *
 * states: 49 transitions: 58
 * faults: none
 */
typedef Message { byte e0 };
Message m;
chan c = [2] of { Message };
active proctype P() { c!m }
active proctype Q() {
    for (m in c) { skip };
    if
    :: skip; for (m in c) { skip }
    :: skip; { for (m in c) { skip } }
    fi;
    end: c?_
}
