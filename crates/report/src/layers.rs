//! Where the nodes of a small graph are drawn: in layers by their distance from the first, and in
//! each layer so that few edges cross.
//!
//! The order in a layer is found by the barycentre method (Sugiyama, Tagawa, Toda 1981): each node
//! goes where its neighbours in the next layer are on the average, layer by layer, down and up a
//! few times. By distance, an edge leads to the next layer at most, so that no edge but those that
//! lead back passes a layer.

use std::collections::VecDeque;

/// How often the layers are gone through.
const SWEEPS: usize = 8;

/// The nodes of each layer, from left to right. Those that cannot be reached from node 0 are in the
/// first layer.
pub(crate) fn layers(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let distance = distances(nodes, edges);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); distance.iter().max().map_or(0, |most| most + 1)];
    for (node, &distance) in distance.iter().enumerate() {
        layers[distance].push(node);
    }
    let (mut above, mut below) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
    for &(from, to) in edges.iter().filter(|(from, to)| distance[*to] == distance[*from] + 1) {
        above[to].push(from);
        below[from].push(to);
    }
    let mut place = vec![0.0; nodes];
    layers.iter().for_each(|layer| note_places(layer, &mut place));
    for sweep in 0..SWEEPS {
        let goes_down = sweep % 2 == 0;
        let neighbours = if goes_down { &above } else { &below };
        let mut order: Vec<usize> = (0..layers.len()).collect();
        if !goes_down {
            order.reverse();
        }
        for number in order {
            sort(&mut layers[number], neighbours, &place);
            note_places(&layers[number], &mut place);
        }
    }
    layers
}

fn distances(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut successors = vec![Vec::new(); nodes];
    edges.iter().for_each(|&(from, to)| successors[from].push(to));
    let mut distance: Vec<Option<usize>> = vec![None; nodes];
    let mut queue = VecDeque::new();
    if let Some(first) = distance.first_mut() {
        *first = Some(0);
        queue.push_back((0, 0));
    }
    while let Some((node, far)) = queue.pop_front() {
        for &next in &successors[node] {
            if distance[next].is_none() {
                distance[next] = Some(far + 1);
                queue.push_back((next, far + 1));
            }
        }
    }
    distance.into_iter().map(Option::unwrap_or_default).collect()
}

/// The places of a layer's nodes, from 0 to 1, so that layers of different sizes can be compared.
fn note_places(layer: &[usize], place: &mut [f64]) {
    for (number, &node) in layer.iter().enumerate() {
        place[node] = (number as f64 + 0.5) / layer.len() as f64;
    }
}

fn sort(layer: &mut [usize], neighbours: &[Vec<usize>], place: &[f64]) {
    let wanted = |node: usize| {
        let near = &neighbours[node];
        let sum: f64 = near.iter().map(|&other| place[other]).sum();
        if near.is_empty() { place[node] } else { sum / near.len() as f64 }
    };
    layer.sort_by(|&a, &b| wanted(a).total_cmp(&wanted(b)).then(a.cmp(&b)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_distances_and_edges_do_not_cross_where_they_need_not() {
        assert_eq!(layers(0, &[]), Vec::<Vec<usize>>::new());
        assert_eq!(layers(3, &[(0, 1), (1, 2), (2, 0), (1, 1)]), [[0], [1], [2]]);
        let crossed = layers(5, &[(0, 1), (0, 2), (1, 4), (2, 3)]);
        assert_eq!(crossed, [vec![0], vec![1, 2], vec![4, 3]]);
    }
}
