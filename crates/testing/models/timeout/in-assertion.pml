/*
 * timeout in an assertion is false if the assertion can be made at once.
 *
 * states: 5 transitions: 4
 * faults: assertion@8
 */
byte x;
active proctype P() { assert(!timeout); timeout; assert(timeout) }
