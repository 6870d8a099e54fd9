/*
 * A random receive without a matching message blocks.
 *
 * states: 18 transitions: 25
 * faults: none
 */
chan c = [3] of { byte };
active proctype P() { c!1; c!3; c??2 }
active proctype Q() { c!2 }
