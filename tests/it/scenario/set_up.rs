//! Set-up (SA-13) for all factions and many seeds.

use std::collections::BTreeSet;

use tallyho::{
    bridge::{
        position::{self, Position},
        text,
    },
    xwing::{catalog::Catalog, scenario::muster::Wishes},
};

use super::{FACTIONS, checker::broken_rules, intro, wishes};

#[test]
fn sa_13_every_rule_of_set_up_holds_for_all_factions_and_many_seeds() {
    let mut layouts = BTreeSet::new();
    let mut checked = 0;
    for (index, faction) in FACTIONS.into_iter().enumerate() {
        for seed in 0..286_u64 {
            let enemy = FACTIONS[(index + seed as usize) % FACTIONS.len()];
            let variant = [None, Some("ace"), Some("transport")][seed as usize % 3];
            let wishes = Wishes {
                player_ships: 1 + seed as u32 % 8,
                variant: variant.map(str::to_owned),
                ..wishes(faction, enemy)
            };
            let (muster, set_up) = intro(&wishes, seed * 7 + index as u64);
            let broken = broken_rules(&set_up);
            assert!(
                broken.is_empty(),
                "{faction} against {enemy}, seed {seed}:\n{}",
                broken.join("\n")
            );
            let in_play = |group: &str| {
                set_up
                    .table
                    .ships_in_play()
                    .filter(|ship| ship.id.starts_with(group))
                    .count()
            };
            assert_eq!(in_play("player-"), muster.player_ships as usize);
            // Both markers together hold six small ships; the seventh waits.
            assert_eq!(
                in_play("patrol-"),
                (muster.player_ships as usize).min(6),
                "{:?}",
                set_up.notes
            );
            assert_eq!(in_play("transport-"), usize::from(variant == Some("transport")));
            layouts.insert(format!("{:?}", set_up.markers));
            checked += 1;
        }
    }
    assert_eq!(checked, 2002);
    assert_eq!(layouts.len(), 2002, "every seed has a layout of its own");
}

#[test]
fn a_set_up_depends_on_its_seed_alone_and_survives_both_forms() {
    let catalog = Catalog::embedded();
    let wishes = wishes("scumandvillainy", "resistance");
    let (_, once) = intro(&wishes, 11);
    assert_eq!(intro(&wishes, 11).1, once);
    assert_ne!(intro(&wishes, 12).1.table, once.table);
    let position = Position::of(once.table.clone());
    let read = text::parse(&text::write(&position, catalog), catalog).unwrap();
    assert_eq!(read.table, once.table);
    let read = position::parse(&position::write(&position, catalog), catalog).unwrap();
    assert_eq!(read.table, once.table);
}
