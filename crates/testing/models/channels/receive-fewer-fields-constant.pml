/*
 * A receive with only constants must name all fields.
 *
 * states: any
 * faults: run-time-error@8
 */
chan c = [2] of { byte, byte };
active proctype P() { c!1,2; c?1; assert(len(c) == 0) }
