/*
 * Many fields.
 *
 * states: 5 transitions: 4
 * faults: none
 */
chan c = [1] of { byte, byte, byte, byte, byte, byte, byte, byte };
byte a[8];
active proctype P() { c!1,2,3,4,5,6,7,8; c?a[0],a[1],a[2],a[3],a[4],a[5],a[6],a[7]; assert(a[7] == 8 && a[0] == 1) }
