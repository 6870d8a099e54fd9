//! Property classes, what each part of a search preserves, and the function that decides what an answer means.
