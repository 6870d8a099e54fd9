/*
 * There can be 255 processes.
 *
 * states: 764 transitions: 763
 * faults: none
 */
proctype Q() { end: false }
init {
	byte i;
	do
	:: i < 254 -> i++; run Q()
	:: else -> break
	od
}
