//! Static facts on minimal models, one for each special case.
//! `crates/testing/tests/static_facts.rs` compares them with what happens.

use ample_frontends::{LoadOptions, load_text};
use ample_interpret::Interpreter;
use ample_model::{Expr, ExprKind, RemoteAt};
use ample_network::facts::{
    Condition, Facts, InstanceId, Numbering, Safety, TransitionId, channel_name, instance_name,
};
use ample_network::{Network, instantiate};
use ample_source::Span;
use ample_stdx::TypedId;

/// A network with its facts.
struct Found<'n> {
    network: &'n Network<'n>,
    facts: Facts,
}

fn with(text: &str, test: impl FnOnce(&Found<'_>)) {
    let loaded = load_text("test.pml", text.to_owned(), &LoadOptions::default());
    let loaded = loaded.unwrap_or_else(|failure| panic!("{:?}\n{text}", failure.diagnostics));
    let interpreter = Interpreter::new(&loaded.model);
    let network = instantiate(&interpreter).unwrap_or_else(|reason| panic!("{reason}"));
    let facts = Facts::new(&network);
    test(&Found { network: &network, facts });
}

impl Found<'_> {
    fn instance(&self, name: &str) -> InstanceId {
        let all = self.network.instances.ids();
        all.into_iter().find(|id| instance_name(self.network, *id) == name).unwrap_or_else(|| panic!("no {name}"))
    }

    /// The transition of a process that begins with a statement; at a rendezvous that of the sender
    /// with `partner`.
    fn transition(&self, process: &str, statement: &str, partner: Option<&str>) -> TransitionId {
        let instance = self.instance(process);
        let partner = partner.map(|name| self.instance(name));
        let template = self.network.template(instance);
        let is_it = |id: &TransitionId| {
            let identity = self.facts.transitions()[*id].identity;
            identity.first.instance == instance
                && template.edges[identity.first.edge].text == statement
                && identity.partner.map(|taken| taken.instance) == partner
        };
        let texts: Vec<&str> = template.edges.iter().map(|edge| edge.text.as_str()).collect();
        self.facts.transitions().ids().find(is_it).unwrap_or_else(|| panic!("no {statement} among {texts:?}"))
    }

    fn of(&self, (process, statement): (&str, &str)) -> TransitionId {
        self.transition(process, statement, None)
    }

    fn accord(&self, a: (&str, &str), b: (&str, &str)) -> bool {
        self.facts.accord(self.of(a), self.of(b))
    }

    fn enables(&self, a: (&str, &str), b: (&str, &str)) -> bool {
        self.facts.may_enable(self.of(a)).contains(self.of(b))
    }

    fn disables(&self, a: (&str, &str), b: (&str, &str)) -> bool {
        self.facts.may_disable(self.of(a)).contains(self.of(b))
    }

    /// Whether a process may go first where this statement stands: `never`, `always` or the
    /// conditions.
    fn safety(&self, (process, statement): (&str, &str)) -> String {
        let taken = self.facts.transitions()[self.of((process, statement))].identity.first;
        let template = self.network.template(taken.instance);
        let show = |condition: &Condition| match condition {
            Condition::NotEmpty(channel) => format!("nempty({})", channel_name(self.network, *channel)),
            Condition::NotFull(channel) => format!("nfull({})", channel_name(self.network, *channel)),
            Condition::Enabled(_) => "enabled".to_owned(),
        };
        match self.facts.safety(taken.instance, template.edges[taken.edge].source) {
            Safety::Never(_) => "never".to_owned(),
            Safety::Always => "always".to_owned(),
            Safety::When(conditions) => conditions.iter().map(show).collect::<Vec<_>>().join(" "),
        }
    }

    fn reads(&self, what: (&str, &str)) -> Vec<String> {
        self.names(&self.facts.transitions()[self.of(what)].reads())
    }

    fn writes(&self, what: (&str, &str)) -> Vec<String> {
        self.names(&self.facts.transitions()[self.of(what)].writes())
    }

    fn names(&self, objects: &ample_stdx::BitSet<ample_network::facts::ObjectId>) -> Vec<String> {
        objects.iter().map(|object| self.facts.objects().name(self.network, object)).collect()
    }
}

const A: &str = "A[0]";
const B: &str = "B[1]";

#[test]
fn arrays_element_by_element() {
    with(
        "byte a[3]; byte i;
         proctype P(byte id) { do :: a[id] = id :: a[2] = 0 :: a[i] = 1 od }
         init { atomic { run P(0); run P(1) } }",
        |found| {
            assert!(found.accord(("P[1]", "a[id] = id"), ("P[2]", "a[id] = id")));
            assert!(found.accord(("P[1]", "a[id] = id"), ("P[2]", "a[2] = 0")));
            assert!(!found.accord(("P[1]", "a[id] = id"), ("P[2]", "a[i] = 1")));
            assert!(found.writes(("P[2]", "a[id] = id")).contains(&"a[1]".to_owned()));
            assert!(!found.writes(("P[2]", "a[id] = id")).contains(&"a[0]".to_owned()));
        },
    );
}

#[test]
fn variables_that_follow_from_parameters() {
    with(
        "byte a[2]; proctype P(byte id) { byte other = 1 - id; byte moving = id; do :: a[other] = 1 :: a[moving] = 1 :: moving = 0 od }
         init { atomic { run P(0); run P(1) } }",
        |found| {
            assert!(found.accord(("P[1]", "a[other] = 1"), ("P[2]", "a[other] = 1")));
            assert!(!found.writes(("P[1]", "a[other] = 1")).contains(&"a[0]".to_owned()));
            assert!(found.writes(("P[1]", "a[moving] = 1")).contains(&"a[0]".to_owned()));
        },
    );
}

#[test]
fn transitions_begin_where_a_process_can_rest() {
    let begins = |text: &str, statement: &str| {
        let mut found_it = false;
        with(text, |found| {
            let template = found.network.template(InstanceId::from_index(0));
            let is_it = |t: &ample_network::facts::Transition| template.edges[t.identity.first.edge].text == statement;
            found_it = found.facts.transitions().iter().any(is_it);
        });
        found_it
    };
    assert!(!begins("byte x; active proctype A() { atomic { x = 1; x = 2 } }", "x = 2"), "nobody waits there");
    assert!(begins("byte x; active proctype A() { atomic { x = 1; x == 2 } }", "x == 2"));
    assert!(begins("bool go; byte x; active proctype A() provided (go) { atomic { x = 1; x = 2 } }", "x = 2"));
    assert!(
        begins(
            "byte x; chan r = [0] of { byte }; active proctype A() { atomic { r!1; x = 2 } } active proctype B() { r?_ }",
            "x = 2"
        ),
        "who sends at a rendezvous loses control"
    );
}

#[test]
fn additions_and_equal_constants_commute() {
    with(
        "byte x, y, z; active proctype A() { do :: x++ :: y = 1 :: atomic { x > 1 -> x++ } :: x = x + z :: z = 1 od }
         active proctype B() { do :: x-- :: y = 1 :: y = 2 :: x = x * 2 :: x == 1 od }",
        |found| {
            assert!(found.accord((A, "x++"), (B, "x--")));
            assert!(found.accord((A, "x = x + z"), (B, "x--")));
            assert!(found.accord((A, "y = 1"), (B, "y = 1")));
            assert!(!found.accord((A, "y = 1"), (B, "y = 2")));
            assert!(!found.accord((A, "x++"), (B, "x = x * 2")));
            assert!(!found.accord((A, "x++"), (B, "x == 1")));
            assert!(!found.accord((A, "x > 1"), (B, "x--")), "its guard reads what is added to");
            assert!(found.reads((A, "x++")).contains(&"x".to_owned()));
        },
    );
}

#[test]
fn constant_and_parameter_channels() {
    with(
        "chan c = [2] of { byte }; chan d = [2] of { byte }; chan free;
         proctype P(chan q) { do :: q!1 :: q?_ :: free!2 od }
         init { atomic { run P(c); run P(d); free = c } }",
        |found| {
            assert!(found.accord(("P[1]", "q!1"), ("P[2]", "q!1")));
            assert!(found.accord(("P[1]", "q?_"), ("P[2]", "q?_")));
            assert!(!found.accord(("P[1]", "q!1"), ("P[2]", "free!2")), "it may be any channel");
            assert_eq!(found.facts.users()[ample_network::facts::ChannelId::from_index(0)].receivers.len(), 1);
        },
    );
}

#[test]
fn the_two_ends_of_a_channel() {
    with(
        "chan c = [2] of { byte }; chan s = [2] of { byte };
         active proctype A() { do :: c!1 :: s!!1 od }
         active proctype B() { byte x; do :: c?x :: c?<x> :: c??7 :: nempty(c) -> x = 1 :: s?x od }
         active proctype C() { do :: len(c) == 1 -> skip :: c!2 :: nfull(c) -> skip :: c?[1] -> skip od }",
        |found| {
            for receive in ["c?x", "c?< x >", "c??7", "nempty(c)"] {
                assert!(found.accord((A, "c!1"), (B, receive)), "{receive}");
                assert!(found.enables((A, "c!1"), (B, receive)) && !found.disables((A, "c!1"), (B, receive)));
            }
            assert!(found.enables((B, "c?x"), (A, "c!1")) && !found.disables((B, "c?x"), (A, "c!1")));
            assert!(found.accord((B, "c?x"), ("C[2]", "nfull(c)")));
            assert!(!found.accord((A, "c!1"), ("C[2]", "nfull(c)")));
            assert!(!found.accord((A, "s!!1"), (B, "s?x")), "it may come to stand first");
            for test in ["len(c) == 1", "c?[1]"] {
                assert!(!found.accord((A, "c!1"), ("C[2]", test)) && !found.accord((B, "c?x"), ("C[2]", test)));
            }
            assert!(!found.accord((A, "c!1"), ("C[2]", "c!2")));
        },
    );
}

#[test]
fn exclusive_ends_are_found_without_claims() {
    with(
        "chan c = [2] of { byte }; byte x;
         active proctype A() { do :: c!1 od }
         active proctype B() { do :: c?1 :: c?2 od }
         active proctype C() { do :: x = 1 od }",
        |found| {
            assert_eq!(found.safety((A, "c!1")), "nfull(c)");
            assert_eq!(found.safety((B, "c?1")), "nempty(c)");
            assert_eq!(found.safety(("C[2]", "x = 1")), "always");
        },
    );
    with(
        "chan c = [2] of { byte }; active proctype A() { do :: c!1 od }
         active proctype B() { do :: c?? 1 od } active proctype C() { do :: len(c) > 1 -> skip od }",
        |found| assert_eq!(found.safety((A, "c!1")), "never", "somebody tests it"),
    );
    with("chan c = [2] of { byte }; active proctype A() { c!1 } active proctype B() { c??1 }", |found| {
        assert_eq!(found.safety((B, "c??1")), "enabled", "a message in front does not let it happen");
    });
}

#[test]
fn a_disabled_alternative_that_others_can_enable() {
    with(
        "byte x; active proctype A() { byte own; if :: own = 1 :: x == 1 fi } active proctype B() { x = 1 }",
        |found| assert_eq!(found.safety((A, "own = 1")), "never"),
    );
}

#[test]
fn else_asks_what_its_siblings_ask() {
    with(
        "byte x; chan c = [1] of { byte }; chan r = [0] of { byte };
         active proctype A() { do :: x == 1 -> skip :: c?_ :: else -> break od; do :: r!1 :: else -> skip od }
         active proctype B() { byte own; x = 2; c!1; own = 1; r?_ }",
        |found| {
            assert!(found.enables((B, "x = 2"), (A, "else")));
            assert!(found.disables((B, "c!1"), (A, "else")), "a message more hinders it");
            assert!(!found.accord((B, "c!1"), (A, "else")));
            let second = found.facts.transitions().ids().filter(|id| {
                let taken = found.facts.transitions()[*id].identity.first;
                let instance = &found.network.instances[taken.instance];
                found.network.model.templates[instance.template].edges[taken.edge].text == "else"
            });
            let arrives = found.of((B, "own = 1"));
            let second = second.collect::<Vec<_>>()[1];
            assert!(found.facts.may_disable(arrives).contains(second), "the partner of a sibling arrives");
        },
    );
}

#[test]
fn timeout_waits_for_all_others() {
    with(
        "byte x; active proctype A() { do :: timeout -> x = 1 od }
         active proctype B() { byte own; own = 1; do :: timeout -> x = 2 od }
         active proctype C() { byte own; if :: x == 1 || timeout -> skip fi }",
        |found| {
            assert!(found.accord((A, "timeout"), (B, "own = 1")), "they cannot both happen");
            assert!(found.enables((B, "own = 1"), (A, "timeout")));
            assert!(!found.accord((A, "timeout"), (B, "timeout")));
            assert!(!found.accord((A, "timeout"), ("C[2]", "x == 1 || timeout")));
            assert_eq!(found.safety((A, "timeout")), "never");
        },
    );
}

#[test]
fn atomic_chains_are_one_transition() {
    with(
        "byte x, y; chan c = [1] of { byte }; chan d = [1] of { byte };
         active proctype A() { do :: atomic { x = 1; c!1; y = 1 } :: atomic { d!1; y = 3 } od }
         active proctype B() { do :: c?_ :: d?_ :: y = 2 od }",
        |found| {
            assert!(!found.accord((A, "x = 1"), (B, "c?_")), "whether there is room decides how far it comes");
            assert!(found.accord((A, "d!1"), (B, "d?_")));
            assert!(!found.accord((A, "x = 1"), (B, "y = 2")));
            assert!(found.writes((A, "x = 1")).contains(&"y".to_owned()));
        },
    );
}

#[test]
fn a_chain_that_is_handed_over() {
    with(
        "byte y; chan r = [0] of { byte };
         active proctype A() { atomic { skip; r!1 } } active proctype B() { atomic { r?_; y = 1 } }
         active proctype C() { y = 2 }",
        |found| {
            assert!(found.writes((A, "skip")).contains(&"y".to_owned()));
            assert!(!found.accord((A, "skip"), ("C[2]", "y = 2")));
            let joint = found.transition(A, "r!1", Some(B));
            assert!(!found.facts.accord(joint, found.of(("C[2]", "y = 2"))));
        },
    );
}

#[test]
fn d_steps_are_one_transition() {
    with(
        "byte x, y; active proctype A() { d_step { x == 1; y = 1; x = 2 } } active proctype B() { do :: y = 2 :: x = 1 od }",
        |found| {
            assert!(!found.accord((A, "d_step { … }"), (B, "y = 2")));
            assert!(found.enables((B, "x = 1"), (A, "d_step { … }")));
            assert!(!found.enables((B, "y = 2"), (A, "d_step { … }")), "only its first statement decides");
        },
    );
}

#[test]
fn a_rendezvous_is_dependent_on_all_of_both() {
    with(
        "byte x, z; chan r = [0] of { byte };
         active proctype A() { byte own; do :: r!own :: own = 1 od } active proctype B() { do :: r?x :: z = 1 od }
         active proctype C() { byte own; do :: own = 2 :: x = 1 od }",
        |found| {
            let joint = found.transition(A, "r!own", Some(B));
            for dependent in [(A, "own = 1"), (B, "z = 1"), ("C[2]", "x = 1")] {
                assert!(!found.facts.accord(joint, found.of(dependent)), "{dependent:?}");
            }
            assert!(found.facts.accord(joint, found.of(("C[2]", "own = 2"))));
            assert_eq!(found.safety((A, "own = 1")), "never");
            assert_eq!(found.safety(("C[2]", "own = 2")), "never", "x = 1 stands there, too");
        },
    );
}

#[test]
fn creation_and_termination() {
    let end = "end of process";
    with("byte x; proctype P() { byte own; own = 1 } init { atomic { run P(); run P() }; x = 1 }", |found| {
        assert!(!found.network.is_guessed && !found.facts.is_guessed());
        assert!(found.accord(("init", "run P()"), ("P[1]", "own = 1")), "what is created does nothing yet");
        assert!(found.enables(("init", "run P()"), ("P[1]", "own = 1")));
        assert!(found.accord(("P[1]", end), ("P[2]", end)), "only the youngest ends");
        assert!(found.enables(("P[2]", end), ("P[1]", end)) && !found.disables(("P[2]", end), ("P[1]", end)));
        assert_eq!(found.safety(("P[2]", end)), "enabled");
    });
    with("proctype P() { skip } proctype Q() { skip } init { if :: run P() :: run Q() fi; run P() }", |found| {
        assert!(found.facts.is_guessed());
        assert_eq!(*found.facts.numbering(), Numbering::Anonymous);
        assert!(found.accord(("init", "run P()"), ("P[2]", end)), "which is the youngest makes no difference");
    });
    with(
        "byte x; proctype P() { skip } proctype Q() { x = _nr_pr } init { if :: run P() :: run Q() fi; run P() }",
        |found| {
            assert_eq!(*found.facts.numbering(), Numbering::Counted("`Q` asks for `_nr_pr`".to_owned()));
            assert!(!found.accord(("init", "run P()"), ("P[2]", end)), "it may be the youngest no longer");
        },
    );
    with("byte x; proctype P() { skip } init { atomic { run P(); run P() }; x = _nr_pr }", |found| {
        assert!(!found.accord(("init", "x = _nr_pr"), ("P[1]", end)));
        assert_eq!(found.safety(("P[1]", end)), "never");
    });
}

#[test]
fn remote_references_and_what_a_property_sees() {
    with(
        "byte x; active proctype A() { byte own; do :: own = 1 :: x = 1; here: x = 2 od }
         active proctype B() { do :: A:own == 1 -> skip :: A[0]@here -> skip od }",
        |found| {
            assert!(found.enables((A, "own = 1"), (B, "A: own == 1")));
            assert!(!found.accord((A, "own = 1"), (B, "A: own == 1")));
            assert!(found.enables((A, "x = 1"), (B, "A[0]@here")) && found.disables((A, "x = 2"), (B, "A[0]@here")));
            assert!(found.accord((A, "own = 1"), (B, "A[0]@here")), "it is neither here before nor after");
            let template = found.network.instances[InstanceId::from_index(0)].template;
            let locations = &found.network.model.templates[template].locations;
            let here = locations.iter_enumerated().find(|(_, l)| l.labels.contains(&"here".to_owned()));
            let at = RemoteAt { template, pid: None, location: here.expect("a label").0, label: "here".to_owned() };
            let asked = |kind| Expr { kind, span: Span::default() };
            let propositions = [asked(ExprKind::RemoteAt(Box::new(at))), asked(ExprKind::LastProcess)];
            let visible = found.facts.visible(found.network, &propositions);
            assert_eq!(visible[0], [found.of((A, "x = 1")), found.of((A, "x = 2"))].into_iter().collect());
            assert_eq!(visible[1].len(), found.facts.transitions().len());
        },
    );
}

#[test]
fn provided_is_part_of_every_guard() {
    with(
        "bool go; byte x; active proctype A() provided (go) { byte own; own = 1; atomic { own = 2; own = 3 } }
         active proctype B() { do :: go = true :: x = 1 od }",
        |found| {
            assert!(
                found.enables((B, "go = true"), (A, "own = 1")) && found.disables((B, "go = true"), (A, "own = 1"))
            );
            assert!(!found.accord((B, "go = true"), (A, "own = 2")));
            assert!(found.accord((B, "x = 1"), (A, "own = 1")));
        },
    );
}

#[test]
fn escapes_come_first() {
    with(
        "byte x; active proctype A() { byte own; { own = 1; own = 2 } unless { x == 1 -> own = 3 } } active proctype B() { x = 1 }",
        |found| {
            assert!(found.disables((B, "x = 1"), (A, "own = 1")) && found.enables((B, "x = 1"), (A, "x == 1")));
            assert_eq!(found.safety((A, "own = 1")), "never");
        },
    );
}

#[test]
fn priorities_last_and_enabled_depend_on_everything() {
    for text in [
        "byte x; active proctype A() priority 2 { x = 1 } active proctype B() { byte own; own = 1 }",
        "byte x; active proctype A() { x = _last } active proctype B() { byte own; own = 1 }",
        "byte x; active proctype A() { x = enabled(1) } active proctype B() { byte own; own = 1 }",
    ] {
        with(text, |found| {
            let first = found.facts.at(found.instance(A), found.network.template(InstanceId::from_index(0)).entry);
            assert!(found.facts.transitions()[first[0]].depends_on_everything(), "{text}");
            assert!(!found.facts.accord(first[0], found.of((B, "own = 1"))), "{text}");
        });
    }
}

#[test]
fn locations_of_one_process_are_never_together() {
    with("byte x; active proctype A() { x = 1; if :: x = 2 :: x = 3 fi }", |found| {
        let co_enabled = |a, b| found.facts.co_enabled(found.network, found.of((A, a)), found.of((A, b)));
        assert!(!co_enabled("x = 1", "x = 2") && co_enabled("x = 2", "x = 3"));
    });
}

#[test]
fn claims_are_judged_and_not_believed() {
    with(
        "chan c = [1] of { byte }; active proctype A() { xs c; c!1 } active proctype B() { c!2 } active proctype C() { xr c; c?_ }",
        |found| {
            let wrong: Vec<bool> = found.facts.claims().iter().map(|claim| !claim.others.is_empty()).collect();
            assert_eq!(wrong, [true, false]);
            assert_eq!(found.safety((A, "c!1")), "never");
        },
    );
}

/// What a creator cannot do now it may do when others have moved: then it is not known whom it
/// creates.
#[test]
fn a_creator_with_a_way_that_others_open_creates_whom_nobody_knows() {
    let models = [
        "if :: x == 1 -> run B() :: else -> run A() fi",
        "if :: x == 1 -> run B() :: true -> run A() fi",
        "if :: c?1 -> run B() :: true -> run A() fi",
        "{ skip; skip; run A() } unless { x == 1 -> run B() }",
        "atomic { skip; if :: x == 1 -> run B() :: else -> run A() fi }",
        "if :: np_ -> run B() :: else -> run A() fi",
    ];
    for body in models {
        let text = format!(
            "byte x; chan c = [1] of {{ byte }}; proctype A() {{ do :: true od }} proctype B() {{ do :: true od }}
             active proctype Creator() {{ {body}; do :: true od }}
             active proctype W() {{ do :: x = 1 :: c!1 od }}"
        );
        with(&text, |found| assert!(found.network.is_guessed, "{body}"));
    }
    let own = "byte n; proctype A() { do :: true od }
        active proctype Creator() { do :: n < 2 -> n++; run A() :: else -> break od; do :: true od }";
    with(own, |found| assert!(!found.network.is_guessed));
}
