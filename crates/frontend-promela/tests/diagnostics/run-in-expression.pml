byte x, a[3];
chan c = [1] of { byte };
proctype Q(byte n) { x = n }
init { assert(run Q(3)); run Q(1) > 0; c!run Q(2); x = 1 + run Q(2) }
