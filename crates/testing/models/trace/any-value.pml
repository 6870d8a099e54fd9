/*
 * An underscore accepts any value.
 *
 * states: 6 transitions: 5
 * faults: trace
 */
chan c = [2] of { byte, byte };
trace { do :: c!1,_ :: c!2,_ od }
active proctype P() { c!1,5; c!2,6; c?_,_; c!3,3 }
