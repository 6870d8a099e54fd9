/*
 * Guards that are constants make loops with steps.
 *
 * states: 8 transitions: 8
 * faults: none
 */
byte x;
active proctype P() { do :: true -> x = 1 - x :: 1 -> break od }
