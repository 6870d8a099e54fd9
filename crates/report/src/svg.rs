//! A small state space as a drawing, without any other program.
//!
//! States are circles with their numbers, from top to bottom by their distance from the initial
//! one; edges that lead down are straight, those that lead back or sideways are bent. What does not
//! fit is in the tooltips: the state in words, and the whole of a label.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use ample_stdx::{TypedId, shorten};

use crate::graph::{Leaf, StateSpace};
use crate::layers::layers;

/// More than this cannot be read in one drawing.
pub const MOST_STATES: usize = 400;
/// The same for transitions.
pub const MOST_TRANSITIONS: usize = 1_200;

const RADIUS: f64 = 15.0;
const LAYER: f64 = 110.0;
const MARGIN: f64 = 60.0;
/// The width of a character of a label.
const CHARACTER: f64 = 6.1;
/// So many characters of a label are shown.
const LONGEST_LABEL: usize = 28;
/// Labels of edges with the same ends stand one below the other, so many of them.
const MOST_LABELS: usize = 4;
const LABEL_LINE: f64 = 11.0;
/// Where on its line a label stands: those of lines that begin together stand at different heights.
const LABEL_PLACES: [f64; 4] = [0.35, 0.5, 0.65, 0.25];

/// The lines that lead from one state to another.
#[derive(Default)]
struct Arrow {
    labels: Vec<String>,
    is_faulty: bool,
}

#[derive(Copy, Clone)]
struct Point {
    x: f64,
    y: f64,
}

impl StateSpace<'_> {
    /// Whether it is small enough to be drawn.
    pub fn is_drawable(&self) -> bool {
        self.states().len() <= MOST_STATES && self.transitions() <= MOST_TRANSITIONS
    }

    /// Writes a drawing.
    pub fn write_svg(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let arrows = self.arrows();
        let nodes = self.states().len() + usize::from(self.has_errors());
        let ends: Vec<(usize, usize)> = arrows.keys().copied().collect();
        let layers = layers(nodes, &ends);
        let longest = arrows.values().flat_map(|arrow| &arrow.labels).map(|label| shown(label).chars().count()).max();
        let column = 3.0 * RADIUS + CHARACTER * longest.unwrap_or(0) as f64;
        let widest = layers.iter().map(Vec::len).max().unwrap_or(0) as f64;
        let width = widest * column + 2.0 * MARGIN;
        let height = layers.len() as f64 * LAYER + 2.0 * MARGIN;
        let points = points(&layers, nodes, width, column);
        write!(out, "{}", head(self.name(), width, height))?;
        let mut before = None;
        let mut number = 0;
        for (&(from, to), arrow) in &arrows {
            number = if before == Some(from) { number + 1 } else { 0 };
            before = Some(from);
            write!(out, "{}", draw_arrow(points[from], points[to], arrow, LABEL_PLACES[number % LABEL_PLACES.len()]))?;
        }
        for (number, leaf) in self.leaves().into_iter().enumerate() {
            write!(out, "{}", draw_state(points[number], number, leaf, &self.words(number)))?;
        }
        if self.has_errors() {
            write!(out, "{}", draw_error(points[self.error_state()]))?;
        }
        writeln!(out, "</svg>")
    }

    /// The edges, those with the same ends together.
    fn arrows(&self) -> BTreeMap<(usize, usize), Arrow> {
        let mut arrows: BTreeMap<(usize, usize), Arrow> = BTreeMap::new();
        for edge in self.edges() {
            let arrow = arrows.entry((edge.from.index(), self.target(edge))).or_default();
            arrow.is_faulty |= edge.about.is_faulty;
            let label = self.label_of(edge).to_owned();
            if !arrow.labels.contains(&label) {
                arrow.labels.push(label);
            }
        }
        arrows
    }
}

fn points(layers: &[Vec<usize>], nodes: usize, width: f64, column: f64) -> Vec<Point> {
    let mut points = vec![Point { x: 0.0, y: 0.0 }; nodes];
    for (depth, layer) in layers.iter().enumerate() {
        let left = (width - layer.len() as f64 * column) / 2.0;
        for (number, &node) in layer.iter().enumerate() {
            points[node] = Point { x: left + (number as f64 + 0.5) * column, y: MARGIN + depth as f64 * LAYER };
        }
    }
    points
}

fn head(name: &str, width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <title>{}</title>\n\
         <style>text {{ font: 10px monospace; text-anchor: middle; }} .label {{ paint-order: stroke; stroke: white; stroke-width: 3px; }} \
         path, circle, rect {{ fill: none; stroke: black; }} circle, rect {{ fill: white; }} .bad {{ stroke: red; }}</style>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path d=\"M0,0 L8,4 L0,8 z\" style=\"fill: black; stroke: none\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" style=\"stroke: none\"/>\n",
        escaped(name)
    )
}

/// A line from the edge of one circle to that of the other, with its labels.
fn draw_arrow(from: Point, to: Point, arrow: &Arrow, label_place: f64) -> String {
    let is_loop = from.x == to.x && from.y == to.y;
    let (path, at) = if is_loop { looped(from) } else { line(from, to, label_place) };
    let class = if arrow.is_faulty { " class=\"bad\"" } else { "" };
    let mut text = format!("<g><title>{}</title>", escaped(&arrow.labels.join("\n")));
    // Writing to a string cannot fail.
    let _ = write!(text, "<path d=\"{path}\"{class} marker-end=\"url(#arrow)\"/>");
    let more = arrow.labels.len().saturating_sub(MOST_LABELS);
    let labels = arrow.labels.iter().take(MOST_LABELS).map(|label| shown(label));
    for (number, label) in labels.chain((more > 0).then(|| format!("and {more} more"))).enumerate() {
        let y = at.y + LABEL_LINE * number as f64;
        let _ = write!(text, "<text class=\"label\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>", at.x, escaped(&label));
    }
    text + "</g>\n"
}

/// From a circle to itself, on its right; and where the label stands.
fn looped(Point { x, y }: Point) -> (String, Point) {
    let far = x + 3.0 * RADIUS;
    let (begin, end) = (format!("{:.1},{:.1}", x + 12.0, y - 9.0), format!("{:.1},{:.1}", x + RADIUS, y + 3.0));
    (format!("M{begin} C{far:.1},{:.1} {far:.1},{:.1} {end}", y - 25.0, y + 20.0), Point { x: far, y: y - 20.0 })
}

/// From one circle to another: straight if that is in the next layer, else bent, so that it passes
/// beside what lies between. Also where the label stands, at this part of the way.
fn line(from: Point, to: Point, label_place: f64) -> (String, Point) {
    let is_down = to.y - from.y > LAYER / 2.0;
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy);
    let bend = if is_down { 0.0 } else { 30.0 + length / 6.0 };
    // To the right of who goes along, so that a line and one that leads back do not meet.
    let middle = Point { x: from.x + dx / 2.0 - dy / length * bend, y: from.y + dy / 2.0 + dx / length * bend };
    let (begin, end) = (towards(from, middle), towards(to, middle));
    let path = format!("M{:.1},{:.1} Q{:.1},{:.1} {:.1},{:.1}", begin.x, begin.y, middle.x, middle.y, end.x, end.y);
    let along = |part: f64| {
        let mix =
            |a: f64, b: f64, c: f64| (1.0 - part) * (1.0 - part) * a + 2.0 * part * (1.0 - part) * b + part * part * c;
        Point { x: mix(begin.x, middle.x, end.x), y: mix(begin.y, middle.y, end.y) }
    };
    (path, along(label_place))
}

/// Where the line from the centre of a circle to another point leaves it.
fn towards(centre: Point, other: Point) -> Point {
    let (dx, dy) = (other.x - centre.x, other.y - centre.y);
    let length = dx.hypot(dy).max(1.0);
    Point { x: centre.x + dx / length * RADIUS, y: centre.y + dy / length * RADIUS }
}

fn draw_state(Point { x, y }: Point, number: usize, leaf: Option<Leaf>, words: &str) -> String {
    let look = match (leaf, number) {
        (Some(Leaf::CutOff), _) => " stroke-dasharray=\"3\"",
        (Some(Leaf::InvalidEnd), _) => " class=\"bad\"",
        (_, 0) => " stroke-width=\"3\"",
        _ => "",
    };
    let circle = |radius: f64| format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"{look}/>");
    let inner = if matches!(leaf, Some(Leaf::End | Leaf::InvalidEnd)) { circle(RADIUS - 3.0) } else { String::new() };
    let title = format!("<title>{}</title>", escaped(words));
    format!("<g>{title}{}{inner}<text x=\"{x:.1}\" y=\"{:.1}\">{number}</text></g>\n", circle(RADIUS), y + 3.5)
}

fn draw_error(Point { x, y }: Point) -> String {
    let (left, top, width, height) = (x - 1.3 * RADIUS, y - 0.8 * RADIUS, 2.6 * RADIUS, 1.6 * RADIUS);
    format!(
        "<rect class=\"bad\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>\
         <text x=\"{x:.1}\" y=\"{:.1}\">error</text>\n",
        y + 3.5
    )
}

/// A label as it is shown.
fn shown(label: &str) -> String {
    shorten(label, LONGEST_LABEL)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
