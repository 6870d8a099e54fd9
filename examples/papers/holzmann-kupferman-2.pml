/*
 * A lamp that flashes: the program is wrong.
 *
 * One of three programs for the claim holzmann-kupferman-flash.hoa, in the manner
 * of section 5 of Holzmann and Kupferman, "Not Checking for Closure under
 * Stuttering" (SPIN 1996). The claim is not closed under stuttering, so that its
 * closure is checked in its place:
 *
 *     ample check holzmann-kupferman-2.pml --claim holzmann-kupferman-flash.hoa
 *
 * The closure has a run of this program, and the claim has the same run.
 *
 * expect: safety holds
 * expect: holzmann-kupferman-flash.hoa violated
 * states: 2 transitions: 2
 */

bool on;

active proctype lamp()
{
    do
    :: on = true;
       on = false
    od
}
