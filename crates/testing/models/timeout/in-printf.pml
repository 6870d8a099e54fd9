/*
 * An error in the arguments of printf that there is only at a timeout.
 *
 * states: any transitions: any
 * faults: run-time-error@8
 */
byte a[1], x;
active proctype P() provided (timeout) { x = 1; printf("%d", a[timeout]) }
