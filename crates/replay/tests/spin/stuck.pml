/* A deadlock, with processes that end before it. */
chan c = [1] of { byte };
proctype p(byte n) { c!n }
init { atomic { run p(1); run p(2); run p(3) }; c?_; c?_; c?_; c?_ }
