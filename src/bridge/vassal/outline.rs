//! The outlines that modules give pieces for collisions: the traits `nonRect2;` and, older, `nonRect;`.

use super::{piece::Piece, sequence};

/// Most corners of an outline.
const MOST_CORNERS: usize = 4096;

/// The corners of a piece's outline as it is drawn: pixels east and south of its centre, before any turning.
pub fn outline(piece: &Piece) -> Option<Vec<(f64, f64)>> {
    let own = piece
        .traits()
        .iter()
        .find(|own| matches!(own.id(), "nonRect2" | "nonRect"))?;
    let (scale, text) = match own.id() {
        "nonRect2" => {
            let mut parts = sequence::tokens(own.setting(), ';');
            let scale = parts
                .text()?
                .trim()
                .parse::<f64>()
                .ok()
                .filter(|scale| scale.is_finite() && *scale > 0.0);
            (scale.unwrap_or(1.0), parts.rest()?)
        }
        _ => (1.0, own.setting()),
    };
    let corners = match text.strip_prefix('d') {
        Some(path) => words(path),
        None => letters(text),
    }?;
    let usable =
        (3..=MOST_CORNERS).contains(&corners.len()) && corners.iter().all(|(x, y)| x.is_finite() && y.is_finite());
    usable.then(|| corners.into_iter().map(|(x, y)| (x * scale, y * scale)).collect())
}

/// A path of words: `M 0 0 L 5 0 ... Z`; of curves the end counts. What follows `N` is a file name.
fn words(path: &str) -> Option<Vec<(f64, f64)>> {
    let mut words = path.split(' ').filter(|word| !word.is_empty());
    let mut corners = Vec::new();
    while let Some(word) = words.next() {
        let points = match word {
            "M" | "L" => 1,
            "Q" => 2,
            "C" => 3,
            "Z" => continue,
            _ => break,
        };
        let mut last = None;
        for _ in 0..points {
            last = Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?));
        }
        corners.extend(last);
    }
    Some(corners)
}

/// A path of letters: `m,0,0,l,5,0,...,c`.
fn letters(path: &str) -> Option<Vec<(f64, f64)>> {
    let mut parts = path.split(',');
    let mut corners = Vec::new();
    while let Some(part) = parts.next() {
        match part.chars().next() {
            Some('m' | 'l') => corners.push((parts.next()?.trim().parse().ok()?, parts.next()?.trim().parse().ok()?)),
            Some('c' | 'n') | None => {}
            Some(_) => return None,
        }
    }
    Some(corners)
}

/// Width and height of the box around an outline.
pub fn extent(outline: &[(f64, f64)]) -> (f64, f64) {
    let span = |of: fn(&(f64, f64)) -> f64| {
        let values = outline.iter().map(of);
        let (least, most) = values.fold((f64::MAX, f64::MIN), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        (most - least).max(0.0)
    };
    (span(|corner| corner.0), span(|corner| corner.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::vassal::piece::Trait;

    #[test]
    fn outlines_of_both_kinds() {
        let of = |kind: &str| outline(&Piece::new([Trait::new(kind, "")], Trait::new("piece;;;;", "")));
        let square = vec![(-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0)];
        for kind in [
            "nonRect2;1.0;d M -10 -10 L 10 -10 L 10 10 L -10 10 Z N a b.png",
            "nonRect2;2.0;d M -5 -5 L 5 -5 Q 9 9 5 5 C 1 1 2 2 -5 5 Z",
            "nonRect2;1.0;nfile.png,m,-10,-10,l,10,-10,l,10,10,l,-10,10,c",
            "nonRect;m,-10,-10,l,10,-10,l,10,10,l,-10,10,c",
        ] {
            assert_eq!(of(kind), Some(square.clone()), "{kind}");
        }
        for kind in [
            "nonRect2;1.0;",
            "nonRect2;1.0;d M 1 L",
            "nonRect;x,1",
            "nonRect2;1;d M 0 0 L 1 1",
            "mark;x",
        ] {
            assert_eq!(of(kind), None, "{kind}");
        }
        assert_eq!(extent(&square), (20.0, 20.0));
    }
}
