active proctype P() priority 300 { skip }
active [300] proctype Q() { skip }
