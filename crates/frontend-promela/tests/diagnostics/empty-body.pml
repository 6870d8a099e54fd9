active proctype P() { }
proctype Q() { if :: fi }
