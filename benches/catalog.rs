//! How long the first use of the catalog takes, which counts towards a cold start, and putting a ship together.

use tallyho::xwing::{catalog::Catalog, effects::CardBook, obstacle_outlines::ObstacleOutlines};

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

/// Where each card stands, which every command that puts a ship together needs; nothing is read yet.
#[divan::bench]
fn index_the_cards() -> CardBook {
    CardBook::indexed(CardBook::embedded_files())
}

/// All cards from text to effects, which only `tallyho cards` needs.
#[divan::bench]
fn read_all_cards() -> usize {
    CardBook::indexed(CardBook::embedded_files()).cards().count()
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
