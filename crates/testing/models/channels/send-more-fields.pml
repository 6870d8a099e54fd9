/*
 * A send with more values than fields.
 *
 * refused
 */
chan c = [2] of { byte }; byte x, y;
active proctype P() { c!1,2; c?x }
