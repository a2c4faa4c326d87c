//! How long the first use of the catalog takes, which counts towards a cold start, and putting a ship together.

use tallyho::xwing::{catalog::Catalog, obstacle_outlines::ObstacleOutlines};

fn main() {
    divan::main();
}

/// The embedded table from text to facts.
#[divan::bench]
fn parse_the_embedded_table() -> Catalog {
    Catalog::from_json(include_str!("../data/catalog.json")).expect("it is a table")
}

/// The embedded outlines from text to polygons, taking the place of those that are known.
#[divan::bench]
fn parse_the_obstacle_outlines() -> ObstacleOutlines {
    ObstacleOutlines::embedded()
        .merged(include_str!("../data/obstacles.toml"))
        .expect("they are outlines")
}

/// A ship with pilot and upgrades, all by display name, which is the slowest look-up.
#[divan::bench]
fn resolve_by_names(bencher: divan::Bencher<'_, '_>) {
    let catalog = Catalog::embedded();
    bencher.bench(|| {
        catalog.resolve(
            "T-65 X-wing",
            Some("Wedge Antilles"),
            ["Proton Torpedoes", "Servomotor S-foils (Open)"],
        )
    });
}
