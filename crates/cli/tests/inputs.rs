//! What was read is never written over, by whatever name it is called.

mod support;

use std::fs;
use std::path::Path;

use support::Folder;

const MODEL: &str = "#include \"part.pml\"\nactive proctype P() { x = 1; assert(x == 0) }\n";
const PART: &str = "byte x;\n";
const CLAIM: &str = "never { do :: x < 2 od }\n";
const SYSTEM: &str = "byte x; process P { state a, b; init a; trans a -> b { effect x = 1; }; } system async;\n";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    for (name, text) in [("m.pml", MODEL), ("part.pml", PART), ("c.never", CLAIM), ("s.dve", SYSTEM)] {
        fs::write(folder.0.join(name), text).unwrap();
    }
    fs::create_dir_all(folder.0.join("inner")).unwrap();
    folder
}

#[track_caller]
fn check_untouched(folder: &Folder) {
    for (name, text) in [("m.pml", MODEL), ("part.pml", PART), ("c.never", CLAIM), ("s.dve", SYSTEM)] {
        assert_eq!(fs::read_to_string(folder.0.join(name)).unwrap(), text, "{name}");
    }
    let names = || fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names().all(|name| !name.ends_with(".part")), "a temporary file was left");
}

#[test]
fn the_model_is_not_overwritten() {
    let folder = folder("inputs_model");
    folder.refuse("check m.pml --trace m.pml", "m.pml is an input of this command");
    folder.refuse("check m.pml --trace part.pml", "part.pml is an input of this command");
    folder.refuse("check m.pml --trace inner/../m.pml", "inner/../m.pml is an input of this command");
    folder.refuse("check ./m.pml --claim c.never --trace c.never", "c.never is an input of this command");
    folder.refuse("graph m.pml -o part.pml", "part.pml is an input of this command");
    folder.refuse("graph s.dve -o s.dve", "s.dve is an input of this command");
    let absolute = folder.0.join("m.pml").display().to_string();
    assert_eq!(folder.run(&format!("check m.pml --trace {absolute}")).status, 2);
    let ran = folder.run("check m.pml --trace m.pml --json");
    assert!(ran.status == 2 && ran.stdout.contains("m.pml is an input of this command"), "{}", ran.stdout);
    check_untouched(&folder);
}

#[test]
#[cfg(unix)]
fn the_model_is_not_overwritten_through_links() {
    let folder = folder("inputs_links");
    std::os::unix::fs::symlink("m.pml", folder.0.join("soft.pml")).unwrap();
    fs::hard_link(folder.0.join("m.pml"), folder.0.join("hard.pml")).unwrap();
    for (model, target) in
        [("m.pml", "soft.pml"), ("m.pml", "hard.pml"), ("soft.pml", "m.pml"), ("soft.pml", "hard.pml")]
    {
        folder.refuse(&format!("check {model} --trace {target}"), &format!("{target} is an input of this command"));
        folder.refuse(&format!("graph {model} -o {target}"), &format!("{target} is an input of this command"));
    }
    check_untouched(&folder);
}

#[test]
fn a_trace_with_a_number_is_not_written_over_the_model() {
    let folder = folder("inputs_numbered");
    fs::copy(folder.0.join("two-wrongs.pml"), folder.0.join("wrongs-1.pml")).unwrap();
    let before = fs::read_to_string(folder.0.join("wrongs-1.pml")).unwrap();
    let ran = folder.run("check wrongs-1.pml --keep-going --trace wrongs.pml");
    assert_eq!(ran.status, 1, "the answer is not kept back");
    assert!(ran.stderr.contains("wrongs-1.pml is an input of this command"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(folder.0.join("wrongs-1.pml")).unwrap(), before);
    assert!(folder.0.join("wrongs-2.pml").exists(), "the others are saved");
}

#[test]
fn outputs_replace_older_ones() {
    let folder = folder("inputs_outputs");
    let old = |name: &str| fs::write(folder.0.join(name), "something old").unwrap();
    let new = |name: &str| fs::read_to_string(folder.0.join(name)).unwrap();
    old("t.trace");
    assert_eq!(folder.run("check m.pml --trace t.trace").status, 1);
    assert!(!new("t.trace").contains("old"));
    old("g.dot");
    assert_eq!(folder.run("graph s.dve -o g.dot").status, 0);
    assert!(new("g.dot").starts_with("digraph"), "{}", new("g.dot"));
    assert_eq!(folder.run("graph s.dve -o inner/g.aut").status, 0);
    check_untouched(&folder);
    folder.refuse("graph s.dve -o nowhere/g.dot", "cannot write nowhere/g.dot");
}

#[test]
#[cfg(unix)]
fn an_output_may_be_a_link_or_a_device() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("inputs_special");
    let place = folder.0.join("inner/real.dot");
    fs::write(&place, "something old").unwrap();
    fs::set_permissions(&place, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("inner/real.dot", folder.0.join("link.dot")).unwrap();
    assert_eq!(folder.run("graph s.dve -o link.dot").status, 0);
    assert!(fs::read_to_string(&place).unwrap().starts_with("digraph"));
    assert_eq!(fs::metadata(&place).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(folder.0.join("link.dot")).unwrap().is_symlink(), "the link stays");
    assert_eq!(folder.run("graph s.dve -o /dev/null").status, 0);
    assert!(Path::new("/dev/null").exists());
}
