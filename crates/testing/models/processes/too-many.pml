/*
 * There can be 255 processes; one more is an error.
 *
 * states: any
 * faults: run-time-error@14
 */
proctype Q() { false }
init {
	byte i;
	do
	:: i < 254 -> i++; run Q()
	:: else -> break
	od;
	run Q()
}
