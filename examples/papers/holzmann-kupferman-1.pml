/*
 * A lamp that goes on and stays on: the program is right.
 *
 * One of three programs for the claim holzmann-kupferman-flash.hoa, in the manner
 * of section 5 of Holzmann and Kupferman, "Not Checking for Closure under
 * Stuttering" (SPIN 1996). The claim is not closed under stuttering, so that its
 * closure is checked in its place:
 *
 *     ample check holzmann-kupferman-1.pml --claim holzmann-kupferman-flash.hoa
 *
 * No run of this program is a run of the closure, and so none is a run of the
 * claim. (A run that ends stays in its last state.)
 *
 * expect: safety holds
 * expect: holzmann-kupferman-flash.hoa holds
 * states: 3 transitions: 2
 */

bool on;

active proctype lamp()
{
    on = true
}
