//! The macros that templates of BEEM rely on, in the macro language itself.
//!
//! Stacks and queues are an array `name`, its number of elements `name_act` and its size
//! `name_size`. A channel that holds messages is a process between the channels `name_in` and
//! `name_out`; these processes come last, before the system.

/// The definitions. What stands between them goes nowhere.
pub(super) const TEXT: &str = r"
define(`true', `1')
define(`false', `0')
define(`bool', `byte')

define(`default', `ifdef(`$1', `', `define(`$1', `$2')')')
define(`forallx', `forloop(`x', 0, decr(N), `$1')')

define(`stack', `byte $1[$2]; byte $1_act = 0; define(`$1_size', `$2')')
define(`queue', `stack(`$1', `$2')')
define(`full', `$1_act == $1_size')
define(`empty', `$1_act == 0')
define(`push', `$1[$1_act] = $2, $1_act = $1_act +1')
define(`pop', `$1[$1_act-1] = 0, $1_act = $1_act -1')
define(`top', `$1[$1_act-1]')
define(`front', `$1[0]')
define(`pop_front', `_shift_down(`$1', $1_size)$1[decr($1_size)] = 0, $1_act = $1_act -1')
define(`_shift_down', `ifelse(eval(`$2' > 1), 1, `forloop(`i', 0, eval($2 - 2), `$1[i] = $1[incr(i)], ')')')

define(`_ends', `channel $1_in, $1_out;define(`$1!', `$1_in!')define(`$1?', `$1_out?')')
define(`buffer_channel', `_ends(`$1')divert(1)
process channel_$1 {
queue(buf, $2)
state q;
init q;
trans
 q -> q { guard not(full(buf)); sync $1_in?buf[buf_act]; effect buf_act = buf_act+1; },
 q -> q { guard not(empty(buf)); sync $1_out!buf[0]; effect pop_front(buf); };
}
divert')
define(`_medium', `divert(1)
process channel_$1 {
byte $2;
state ready, tr;
init ready;
trans
 ready -> tr { sync $1_in?v; },
 $3
 tr -> ready { sync $1_out!v; $4 };
}
divert')
define(`async_channel', `_ends(`$1')_medium(`$1', `v')')
define(`loosy_channel', `_ends(`$1')_medium(`$1', `v', `tr -> ready { },')')
define(`bounded_loosy_channel', `_ends(`$1')_medium(`$1', `v, lost=0',
 `tr -> ready { guard lost < $2; effect lost = lost + 1; },', `effect lost = 0;')')
define(`system', `undivert(1)`system'')
";
