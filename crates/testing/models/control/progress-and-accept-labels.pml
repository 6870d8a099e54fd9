/*
 * Progress and accept labels do not change what can happen.
 *
 * states: 8 transitions: 7
 * faults: none
 */
byte x;
active proctype P() {
	do
	:: x < 2 -> progress: x++
	:: x == 2 -> accept: x = 0; break
	od
}
