/*
 * A lamp that is on for two states: the claim is not closed.
 *
 * One of three programs for the claim holzmann-kupferman-flash.hoa, in the manner
 * of section 5 of Holzmann and Kupferman, "Not Checking for Closure under
 * Stuttering" (SPIN 1996). The claim is not closed under stuttering, so that its
 * closure is checked in its place:
 *
 *     ample check holzmann-kupferman-3.pml --claim holzmann-kupferman-flash.hoa
 *
 * The closure has a run of this program, but the claim does not have it: the lamp
 * is on for two states. Checked as it stands (--reduce none) the claim has no run
 * of the program. Which of the two was meant, its author must say.
 *
 * expect: safety holds
 * expect: holzmann-kupferman-flash.hoa unknown
 * states: 3 transitions: 3
 */

bool on;

active proctype lamp()
{
    do
    :: on = true;
       skip;
       on = false
    od
}
