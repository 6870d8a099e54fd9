chan q = [0] of { byte };
proctype Q() { skip }
active proctype P() {
  d_step { run Q(); goto out };
out: skip
}
