//! What the known traits say: where a piece is and which way it points, its properties, and who may see it.

use std::collections::BTreeMap;

use super::{
    Damage,
    piece::{HIDE, MASK, Piece, Trait},
    secret::Secret,
    sequence::{self, Encoder},
};

/// What stands between the parts of most traits.
const PART: char = ';';
/// Begins the part of a stack's state that tells its layer.
const LAYER: &str = "@@";
/// The property of a piece's name.
pub const NAME: &str = "BasicName";

/// A place on a map, or off all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The map's name; none: off every map.
    pub map: Option<String>,
    /// Pixels east of the map's corner.
    pub x: i32,
    /// Pixels south of the map's corner.
    pub y: i32,
}

/// What is within all traits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Core {
    /// A piece proper.
    Piece,
    /// A stack of pieces.
    Stack,
    /// A deck of cards.
    Deck,
    /// Something that a module's own code makes.
    Unknown,
}

/// A trait that turns the piece.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotator {
    /// The number of facings; 1: any angle.
    pub facings: u32,
    /// Its name, which may be empty.
    pub name: String,
    /// How far the piece is turned, degrees clockwise from how its picture is drawn, in [0, 360).
    pub degrees: f64,
}

fn whole(text: &str) -> i32 {
    text.trim().parse().unwrap_or(0)
}

impl Trait {
    /// What it is, as the core of a piece.
    pub fn core(&self) -> Core {
        match self.id() {
            "piece" => Core::Piece,
            "stack" => Core::Stack,
            "deck" => Core::Deck,
            _ => Core::Unknown,
        }
    }

    /// Where it is, as the core of a piece. In a stack the stack's place counts.
    pub fn place(&self) -> Place {
        let mut parts = sequence::tokens(&self.state, PART);
        let map = parts
            .text()
            .filter(|map| map != "null")
            .map(std::borrow::Cow::into_owned);
        let mut number = || parts.text().map_or(0, |text| whole(&text));
        Place {
            map: map.filter(|map| !map.is_empty()),
            x: number(),
            y: number(),
        }
    }

    /// Puts it elsewhere, as the core of a piece; the rest of its state stays.
    pub fn set_place(&mut self, place: &Place) {
        let rest: Vec<sequence::Token<'_>> = sequence::tokens(&self.state, PART).skip(3).collect();
        let mut parts = Encoder::new(PART);
        parts.push(place.map.as_deref().unwrap_or("null"));
        parts.push(&place.x.to_string()).push(&place.y.to_string());
        for part in rest {
            parts.push_as(&part.text, part.quotes);
        }
        self.state = parts.finish();
    }

    /// The ids of the pieces in it, the lowest first, as the core of a stack or a deck.
    pub fn children(&self) -> Vec<String> {
        let mut parts = sequence::tokens(&self.state, PART).map(|token| token.text);
        match self.core() {
            Core::Stack => (parts.skip(3))
                .filter(|part| !part.starts_with(LAYER) && !part.is_empty())
                .map(std::borrow::Cow::into_owned)
                .collect(),
            Core::Deck => parts.nth(4).map_or_else(Vec::new, |ids| {
                let ids = sequence::tokens(&ids, ',').map(|token| token.text.into_owned());
                ids.filter(|id| !id.is_empty()).collect()
            }),
            Core::Piece | Core::Unknown => Vec::new(),
        }
    }

    /// Other pieces in it, as the core of a stack or a deck.
    pub fn set_children(&mut self, ids: &[String]) {
        let old: Vec<String> = sequence::split(&self.state, PART)
            .into_iter()
            .map(std::borrow::Cow::into_owned)
            .collect();
        let mut parts = Encoder::new(PART);
        match self.core() {
            Core::Stack => {
                let layer = old.iter().skip(3).filter(|part| part.starts_with(LAYER));
                for part in old.iter().take(3).chain(ids).chain(layer) {
                    parts.push(part);
                }
            }
            Core::Deck => {
                for part in old.iter().take(4) {
                    parts.push(part);
                }
                if !ids.is_empty() {
                    parts.push(&sequence::join(ids, ','));
                }
            }
            Core::Piece | Core::Unknown => return,
        }
        self.state = parts.finish();
    }

    /// Whether the cards of a deck lie face down.
    pub fn is_face_down(&self) -> bool {
        self.core() == Core::Deck
            && sequence::tokens(&self.state, PART)
                .nth(3)
                .is_some_and(|part| part.text == "true")
    }

    /// How it turns the piece, if it does.
    pub fn rotator(&self) -> Option<Rotator> {
        if self.id() != "rotate" {
            return None;
        }
        let mut parts = sequence::tokens(self.setting(), PART);
        let facings: u32 = parts.text()?.trim().parse().ok().filter(|facings| *facings > 0)?;
        // Key and words of a free rotation, or two keys and their words; then key and words of a random one.
        let before = if facings == 1 { 4 } else { 6 };
        let name = parts.nth(before).map(|token| token.text.into_owned());
        let degrees = if facings == 1 {
            -self
                .state
                .trim()
                .parse::<f64>()
                .ok()
                .filter(|angle| angle.is_finite())
                .unwrap_or(0.0)
        } else {
            let index = whole(&self.state).clamp(0, i32::try_from(facings - 1).unwrap_or(i32::MAX));
            f64::from(index) * 360.0 / f64::from(facings)
        };
        Some(Rotator {
            facings,
            name: name.unwrap_or_default(),
            degrees: normal(degrees),
        })
    }

    /// Turns the piece to an angle, degrees clockwise, or to the nearest one that the trait allows.
    pub fn turn(&mut self, degrees: f64) {
        let Some(rotator) = self.rotator() else { return };
        let degrees = normal(degrees);
        self.state = if rotator.facings == 1 {
            // As Java writes a number of that kind.
            match -degrees {
                0.0 => "0.0".to_owned(),
                angle => format!("{angle:?}"),
            }
        } else {
            let facings = f64::from(rotator.facings);
            ((degrees * facings / 360.0).round() % facings).to_string()
        };
    }

    /// The player who hides or masks the piece.
    pub fn hidden_by(&self) -> Option<Secret> {
        let by = match self.id() {
            HIDE => self.state.as_str().into(),
            MASK => sequence::tokens(&self.state, PART).text()?,
            _ => return None,
        };
        (by != "null" && !by.is_empty()).then(|| Secret::new(by.into_owned()))
    }

    /// The properties that it gives the piece, by their names.
    pub fn properties(&self) -> Vec<(String, String)> {
        let parts = || sequence::split(self.setting(), PART);
        let owned = |text: Option<&std::borrow::Cow<'_, str>>| text.map(|text| text.to_string()).unwrap_or_default();
        match self.id() {
            "mark" => {
                let mut values = sequence::tokens(&self.state, ',');
                (sequence::tokens(self.setting(), ','))
                    .map(|name| (name.text.into_owned(), values.text().unwrap_or_default().into_owned()))
                    .collect()
            }
            "PROP" => vec![(owned(parts().first()), self.state.clone())],
            "markmoved" => vec![("Moved".to_owned(), self.state.clone())],
            "label" => {
                let name = owned(parts().get(15));
                let name = if name.is_empty() { "TextLabel".to_owned() } else { name };
                vec![(name, self.state.trim().to_owned())]
            }
            "emb2" => {
                let name = owned(parts().get(18));
                if name.is_empty() {
                    return Vec::new();
                }
                let level = whole(&owned(sequence::split(&self.state, PART).first()));
                vec![
                    (format!("{name}_Level"), level.to_string()),
                    (format!("{name}_Active"), (level > 0).to_string()),
                ]
            }
            "rotate" => self.rotator().map_or_else(Vec::new, |rotator| {
                let degrees = rotator.degrees.round() % 360.0;
                let facing = match rotator.facings {
                    1 => 1,
                    _ => whole(&self.state).clamp(0, i32::MAX - 1) + 1,
                };
                vec![
                    (format!("{}_Degrees", rotator.name), degrees.to_string()),
                    (format!("{}_Facing", rotator.name), facing.to_string()),
                ]
            }),
            "propertysheet" => {
                let definition = owned(parts().first());
                let mut values = sequence::tokens(&self.state, '~');
                let mut found = Vec::new();
                for field in sequence::tokens(&definition, '~').filter(|field| !field.text.is_empty()) {
                    let value = values.text().unwrap_or_default();
                    // The first character tells how the field is edited; boxes to tick are written as their number and the most.
                    let value = match field.text.starts_with(['3', '4', '5', '6']) {
                        true => value.split('/').next().unwrap_or_default(),
                        false => &value,
                    };
                    found.push((field.text.chars().skip(1).collect(), value.to_owned()));
                }
                found
            }
            "piece" => {
                let mut found = vec![(NAME.to_owned(), owned(parts().get(3)))];
                let mut state = sequence::tokens(&self.state, PART).skip(4);
                let mut next = || state.next().map(|token| token.text.into_owned());
                let count = next().map_or(0, |count| whole(&count));
                for _ in 0..count {
                    let (Some(name), Some(value)) = (next(), next()) else {
                        break;
                    };
                    found.push((name, value));
                }
                found
            }
            _ => Vec::new(),
        }
    }

    /// Gives a property of the trait another value, if it has it and its value can change.
    ///
    /// # Errors
    /// A property that the trait does not have, or that no state holds.
    pub fn set_property(&mut self, name: &str, value: &str) -> Result<(), Damage> {
        let has = self.properties().iter().any(|(own, _)| own == name);
        let missing = || Damage::at(format!("property {name}"), "no trait holds it");
        match self.id() {
            "PROP" | "label" if has => self.state = value.to_owned(),
            "markmoved" if has => self.state = value.to_owned(),
            "mark" if has => {
                let values = self.properties().into_iter().map(|(own, old)| match own == name {
                    true => value.to_owned(),
                    false => old,
                });
                self.state = sequence::join(values, ',');
            }
            "propertysheet" if has => {
                let values = self.properties().into_iter().zip(sequence::tokens(&self.state, '~'));
                let values = values.map(|((own, _), old)| match (own == name, old.text.split_once('/')) {
                    (true, Some((_, most))) => format!("{value}/{most}"),
                    (true, None) => value.to_owned(),
                    (false, _) => old.text.into_owned(),
                });
                self.state = sequence::join(values, '~');
            }
            "emb2" if has && name.ends_with("_Level") && value.parse::<i32>().is_ok() => self.state = value.to_owned(),
            _ => return Err(missing()),
        }
        Ok(())
    }
}

/// An angle in [0, 360).
fn normal(degrees: f64) -> f64 {
    let degrees = degrees.rem_euclid(360.0);
    // A tiny negative angle is rounded up to the full turn; and there is no negative zero.
    if degrees >= 360.0 { 0.0 } else { degrees + 0.0 }
}

impl Piece {
    /// The name of the basic piece.
    pub fn name(&self) -> String {
        let parts = sequence::split(self.core().setting(), PART);
        parts.get(3).map(|name| name.to_string()).unwrap_or_default()
    }

    /// The slot of the module's palette from which it came.
    pub fn slot(&self) -> String {
        let mut state = sequence::tokens(&self.core().state, PART);
        state.nth(3).map(|token| token.text.into_owned()).unwrap_or_default()
    }

    /// How far it is turned by all its rotators together, degrees clockwise in [0, 360); none if nothing turns it.
    pub fn heading(&self) -> Option<f64> {
        let turns = self.traits().iter().filter_map(Trait::rotator);
        turns
            .map(|rotator| rotator.degrees)
            .reduce(|one, other| one + other)
            .map(normal)
    }

    /// Turns it, by its outermost rotator; the others stay. Whether something turns it at all.
    pub fn turn(&mut self, degrees: f64) -> bool {
        let Some(heading) = self.heading() else { return false };
        let outermost = self.traits_mut().iter_mut().find(|own| own.rotator().is_some());
        if let Some(own) = outermost
            && let Some(rotator) = own.rotator()
        {
            own.turn(rotator.degrees + degrees - heading);
        }
        true
    }

    /// All properties; where two traits give one, the outer one's counts.
    pub fn properties(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        for (name, value) in self.traits().iter().flat_map(Trait::properties) {
            found.entry(name).or_insert(value);
        }
        found
    }

    /// One property.
    pub fn property(&self, name: &str) -> Option<String> {
        let all = self.traits().iter().flat_map(Trait::properties);
        all.into_iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// Gives a property another value.
    ///
    /// # Errors
    /// A property that no trait of the piece holds.
    pub fn set_property(&mut self, name: &str, value: &str) -> Result<(), Damage> {
        let own = (self.traits_mut().iter_mut()).find(|own| own.properties().iter().any(|(own, _)| own == name));
        match own {
            Some(own) => own.set_property(name, value),
            None => Err(Damage::at(format!("property {name}"), "no trait holds it")),
        }
    }

    /// Notes where it was before a move, and that it has moved, as Vassal does before it moves a piece.
    pub fn note_old_place(&mut self, place: &Place) {
        let mut properties: BTreeMap<String, String> = self.core().properties().into_iter().collect();
        properties.remove(NAME);
        properties.insert("OldX".to_owned(), place.x.to_string());
        properties.insert("OldY".to_owned(), place.y.to_string());
        properties.insert("OldMap".to_owned(), place.map.clone().unwrap_or_default());
        let core = self.core_mut();
        let before: Vec<String> = (sequence::tokens(&core.state, PART).take(4))
            .map(|token| token.text.into_owned())
            .collect();
        let count = properties.len().to_string();
        let all = properties.iter().flat_map(|(name, value)| [name, value]);
        core.state = sequence::join(before.iter().chain([&count]).chain(all), PART);
        if let Some(mark) = self.traits_mut().iter_mut().find(|own| own.id() == "markmoved") {
            mark.state = "true".to_owned();
        }
    }

    /// The player who hides or masks it.
    pub fn hidden_by(&self) -> Option<Secret> {
        self.traits().iter().find_map(Trait::hidden_by)
    }

    /// Whether it never joins a stack.
    pub fn stays_alone(&self) -> bool {
        let immobile = self.traits().iter().find(|own| own.id() == "immob");
        immobile.is_some_and(|own| {
            let parts = sequence::split(own.setting(), PART);
            // Without that part it is an old trait, and those do not stack.
            parts.get(2).is_none_or(|part| part.contains('R'))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(traits: &[(&str, &str)]) -> Piece {
        let traits: Vec<Trait> = traits.iter().map(|(kind, state)| Trait::new(*kind, *state)).collect();
        Piece::new(
            traits,
            Trait::new("piece;;;v.png;Darth Vader", "Main Map;125;175;7;2;OldX;25;UniqueID;9"),
        )
    }

    #[test]
    fn angles_are_read_clockwise_and_written_as_vassal_has_them() {
        let cases = [
            ("rotate;1;520,0;Turn;;;Facing;", "-90.0", 90.0, 270.0, "-270.0"),
            ("rotate;1;520,0;Turn;;;Facing;", "0.0", 0.0, 360.0, "0.0"),
            ("rotate;1;;;;;;", "-450.5", 90.5, 0.25, "-0.25"),
            ("rotate;360;1;2;a;b;;;;", "45", 45.0, 359.7, "0"),
            ("rotate;4;1;2;a;b;;;Facing;", "3", 270.0, 100.0, "1"),
            ("rotate;6;1;2;a;b;;;F;", "99", 300.0, 180.0, "3"),
        ];
        for (kind, state, heading, turned, written) in cases {
            let mut piece = piece(&[(kind, state)]);
            assert_eq!(piece.heading(), Some(heading), "{kind} {state}");
            assert!(piece.turn(turned));
            assert_eq!(piece.traits()[0].state, written, "{kind} to {turned}");
        }
        assert_eq!(piece(&[]).heading(), None);
        let mut several = piece(&[("rotate;360;;;;;;;a", "350"), ("rotate;4;;;;;;;b", "1")]);
        assert_eq!(several.heading(), Some(80.0));
        several.turn(10.0);
        assert_eq!((several.heading(), &*several.traits()[1].state), (Some(10.0), "1"));
    }

    #[test]
    fn the_outer_trait_tells_a_property_first() {
        let piece = piece(&[
            ("mark;Faction,Cost", "Sith,61"),
            ("PROP;HP;true,0,140,false;:Damage;Hit points", "120"),
            (
                "label;76,130;Label;10;;0,0,0;t;0;c;0;b;c;$pieceName$;Dialog;0;0;Note;",
                " stunned ",
            ),
            ("emb2;Stress;2;S;;2;;;2;;;;1;false;0;0;a.png;b;true;Stress;;;;", "-2"),
            ("rotate;1;520,0;Turn;;;Facing;", "-90.0"),
            ("propertysheet;0Force~1Notes;Sheet;;;;;;;", "3~x|y"),
            ("mark;Cost", "99"),
            ("somebody.else.Trait;x", "whatever"),
        ]);
        let properties: Vec<String> = piece
            .properties()
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        assert_eq!(
            properties.join(" "),
            "BasicName=Darth Vader Cost=61 Facing_Degrees=90 Facing_Facing=1 Faction=Sith Force=3 HP=120 Note=stunned Notes=x|y OldX=25 \
             Stress_Active=false Stress_Level=-2 UniqueID=9"
        );
        assert_eq!((piece.name(), piece.slot()), ("Darth Vader".to_owned(), "7".to_owned()));
    }

    #[test]
    fn a_property_is_set_where_it_is_held() {
        let mut piece = piece(&[("mark;Faction,Cost", "Sith,61"), ("PROP;HP;;;", "120")]);
        piece.set_property("HP", "100").unwrap();
        piece.set_property("Cost", "50").unwrap();
        assert_eq!(
            (&*piece.traits()[0].state, &*piece.traits()[1].state),
            ("Sith,50", "100")
        );
        let damage = piece.set_property("Shields", "1").unwrap_err();
        assert_eq!(damage.to_string(), "property Shields: no trait holds it");
    }

    #[test]
    fn places_and_what_lies_in_stacks_and_decks() {
        let mut stack = Trait::new("stack", "Main Map;10;20;1;2;@@0");
        assert_eq!(
            (stack.core(), stack.children()),
            (Core::Stack, vec!["1".to_owned(), "2".to_owned()])
        );
        stack.set_children(&["2".to_owned()]);
        assert_eq!(stack.state, "Main Map;10;20;2;@@0");
        let mut deck = Trait::new("deck;false;x", "Main Map;10;20;true;5,6");
        assert_eq!(
            (deck.children(), deck.is_face_down()),
            (vec!["5".to_owned(), "6".to_owned()], true)
        );
        deck.set_children(&[]);
        assert_eq!(deck.state, "Main Map;10;20;true");
        let mut core = Trait::new("piece;;;;", "null;0;0;7;1;OldMap;a\\;b");
        assert_eq!(core.place().map, None);
        core.set_place(&Place {
            map: Some("A;B".to_owned()),
            x: -3,
            y: 4,
        });
        assert_eq!(core.state, "A\\;B;-3;4;7;1;OldMap;a\\;b");
        assert_eq!(core.place().map.as_deref(), Some("A;B"));
    }

    #[test]
    fn who_hides_a_piece() {
        for (kind, state, hidden) in [
            ("hide;73,130;;;side:", "null", None),
            ("hide;73,130;;;side:", "pw", Some("pw")),
            ("obs;70,130;back.png;Mask;BReveal;?;side:", "null;", None),
            ("obs;70,130;back.png;Mask;BReveal;?;side:", "pw;x", Some("pw")),
        ] {
            let hidden_by = piece(&[(kind, state)]).hidden_by();
            assert_eq!(hidden_by.as_ref().map(Secret::reveal), hidden);
        }
    }
}
