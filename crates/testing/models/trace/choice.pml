/*
 * A choice in a trace assertion.
 *
 * states: 11 transitions: 10
 * faults: trace
 */
chan c = [3] of { byte };
trace { if :: c!1; c!2 :: c!3 fi; c!4 }
active proctype P() { if :: c!1; c!2 :: c!3 :: c!1 fi; c!4 }
