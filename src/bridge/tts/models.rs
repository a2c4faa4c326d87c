//! Which ship of the catalog a model of the mod is. The mod calls its models as the second edition does; where the first edition
//! is played with them, they stand for its ships, and what is printed on its cards counts: skill, dial, and size of the base.

use std::{collections::BTreeMap, sync::LazyLock};

use super::{Warning, moves};
use crate::{
    protocol::snapshot::TtsShip,
    xwing::{catalog::Catalog, edition::Edition, maneuver::Dial},
};

/// Ships of the first edition by the ids of the models that stand for them.
static STANDS_FOR: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    // A unit test reads it.
    toml::from_str(include_str!("../../../data/first-edition/models.toml")).unwrap_or_default()
});

/// A model, as far as it tells which ship it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model<'m> {
    /// The ship's id in the catalog, or what the mod calls it where the catalog has no such ship.
    pub ship: &'m str,
    /// It is the second edition's and stands for a ship of the first: what it shows of skill, dial and base is not of its card.
    pub stands_for: bool,
}

impl<'m> Model<'m> {
    /// Of a ship of the mod, by the edition that is played.
    pub fn of(raw: &'m TtsShip, catalog: &Catalog) -> Model<'m> {
        let own = Model {
            ship: &raw.ship_id,
            stands_for: false,
        };
        if catalog.edition() != Edition::First {
            return own;
        }
        if catalog.find_ship(&raw.ship_id).is_some() {
            return Model {
                stands_for: shows_second_edition(raw),
                ..own
            };
        }
        match STANDS_FOR.get(raw.ship_id.trim()) {
            Some(ship) => Model { ship, stands_for: true },
            None => own,
        }
    }
}

/// Whether the model has the dial of the second edition's ship of that name.
fn shows_second_edition(raw: &TtsShip) -> bool {
    let Some(ship) = Catalog::embedded().ship(&raw.ship_id) else {
        return false;
    };
    let shown: Vec<_> = raw
        .move_set
        .iter()
        .filter_map(|code| moves::parse_dial_code(code))
        .collect();
    let first = Catalog::embedded_for(Edition::First).ship(&raw.ship_id);
    let shown = Dial::new(shown);
    !shown.maneuvers().is_empty() && shown == *ship.dial && first.is_none_or(|first| *first.dial != shown)
}

/// What was found of the edition that is played: models that stand for others, and those that nobody knows.
pub fn found(ships: &[TtsShip], catalog: &Catalog) -> Option<Warning> {
    if catalog.edition() != Edition::First {
        return None;
    }
    let mut standing: BTreeMap<&str, &str> = BTreeMap::new();
    for raw in ships {
        let model = Model::of(raw, catalog);
        if model.stands_for {
            standing.insert(
                raw.ship_id.trim(),
                catalog.ship(model.ship).map_or(model.ship, |ship| &ship.name),
            );
        }
    }
    if standing.is_empty() {
        return None;
    }
    let pairs: Vec<String> = standing
        .iter()
        .map(|(model, ship)| format!("`{model}` as {ship}"))
        .collect();
    Some(Warning::new(
        "",
        format!(
            "models of the second edition fly as ships of the first: {}. Their skill, dial and base are those of the \
             first edition's cards",
            pairs.join(", ")
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_stand_for_ships_that_the_catalogs_have() {
        assert!(STANDS_FOR.len() > 30);
        for (model, ship) in STANDS_FOR.iter() {
            assert!(Catalog::embedded().ship(model).is_some(), "{model}");
            let first = Catalog::embedded_for(Edition::First);
            assert!(first.ship(ship).is_some(), "{ship}");
            assert!(first.ship(model).is_none(), "{model} needs no entry");
        }
    }

    #[test]
    fn a_model_is_its_own_ship_unless_it_shows_the_other_edition() {
        let first = Catalog::embedded_for(Edition::First);
        let model = |ship: &str, dial: &str| {
            let raw = TtsShip {
                ship_id: ship.to_owned(),
                move_set: dial.split(' ').map(str::to_owned).collect(),
                ..TtsShip::default()
            };
            let model = Model::of(&raw, first);
            (model.ship.to_owned(), model.stands_for)
        };
        assert_eq!(model("t65xwing", ""), ("xwing".to_owned(), true));
        assert_eq!(model("xwing", "bs1 bs2"), ("xwing".to_owned(), false));
        assert_eq!(model("deathstar", ""), ("deathstar".to_owned(), false));
        let raw = TtsShip {
            ship_id: "t65xwing".to_owned(),
            ..TtsShip::default()
        };
        assert!(!Model::of(&raw, Catalog::embedded()).stands_for);
    }

    #[test]
    fn what_models_stand_for_is_told_once_and_only_where_the_first_edition_is_played() {
        let ships = ["t65xwing", "t65xwing", "tiefighter", "deathstar"].map(|ship| TtsShip {
            ship_id: ship.to_owned(),
            ..TtsShip::default()
        });
        let told = found(&ships, Catalog::embedded_for(Edition::First)).map(|warning| warning.message);
        let told = told.expect("a model stands for another");
        assert_eq!(told.matches("`t65xwing` as X-wing").count(), 1, "{told}");
        assert!(!told.contains("tiefighter") && !told.contains("deathstar"), "{told}");
        assert_eq!(found(&ships, Catalog::embedded()), None);
        assert_eq!(found(&ships[2..], Catalog::embedded_for(Edition::First)), None);
    }
}
