//! Grid positions as people type them.
//!
//! ```text
//! id T1
//!   A  B  C  D
//! 1 .. .. .. ..
//! 2 .. oa .. .P
//! wall C1-D1
//! figure a 20/14/+5/10 force 1 : Grenades 10, Accurate Shot
//! figure P 60/16/+8/20 name Bao-Dur
//! switch fof_first false
//! ```

use super::{GridError, GridPosition, Wire, WireFigure, WireToken, lenient, post, understand};

/// Reads a position as text.
///
/// # Errors
/// The line that is not understood, or what cannot be used.
pub fn parse(text: &str) -> Result<GridPosition, GridError> {
    if post::is_post(text) {
        return understand(post::read(text));
    }
    let mut wire = Wire::default();
    let mut named = false;
    let mut switches = serde_json::Map::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let wrong = |message: String| GridError::Text {
            line: index + 1,
            message,
        };
        let line = line.split_once(" //").map_or(line, |(front, _)| front).trim_end();
        let (first, rest) = match line.trim_start().split_once(char::is_whitespace) {
            Some((first, rest)) => (first, rest.trim()),
            None => (line.trim_start(), ""),
        };
        match first {
            "" => {}
            _ if first.starts_with("//") => {}
            "id" if std::mem::replace(&mut named, true) => {
                return Err(wrong(
                    "the position has an `id` already: leave one of them out".to_owned(),
                ));
            }
            "id" => wire.id = rest.to_owned(),
            "wall" | "door" | "open" => wire.edges.push(format!("{first} {rest}")),
            "figure" => {
                let (id, figure) = figure(rest).map_err(wrong)?;
                if wire.figures.insert(id.clone(), figure).is_some() {
                    return Err(wrong(format!("figure `{id}` is described twice")));
                }
            }
            "switch" => {
                let (name, value) = rest.split_once(char::is_whitespace).ok_or_else(|| {
                    wrong("a switch has a name and a value, as in `switch fof_first false`".to_owned())
                })?;
                let (name, value) = lenient::one_switch(name, value.trim())
                    .ok_or_else(|| wrong(format!("`{name}` is no switch: docs/swm.md lists them")))?;
                if switches.insert(name.to_owned(), value).is_some() {
                    return Err(wrong(format!("`{name}` is set twice: leave one of them out")));
                }
            }
            "token" => {
                let mut words = rest.split([' ', ',']).filter(|word| !word.is_empty());
                let at = words.next().unwrap_or_default();
                wire.tokens.push(WireToken {
                    at: at.parse().map_err(|error| wrong(format!("{error}")))?,
                    figures: words.map(str::to_owned).collect(),
                });
            }
            _ => wire.map.push(line.to_owned()),
        }
    }
    if !switches.is_empty() {
        let options = serde_json::from_value(serde_json::Value::Object(switches));
        wire.switches = Some(options.map_err(|error| GridError::Json {
            place: "switch".to_owned(),
            message: crate::json::plain(&error.to_string()),
        })?);
    }
    understand(wire)
}

/// `a 20/14/+5/10 speed 8 force 1 activated : Grenades 10, Accurate Shot`.
pub(super) fn figure(text: &str) -> Result<(String, WireFigure), String> {
    let (front, abilities) = text.split_once(':').unwrap_or((text, ""));
    let mut words = front.split_whitespace();
    let id = words
        .next()
        .ok_or("a figure has a letter: `figure a 20/14/+5/10`")?
        .to_owned();
    let stats = words
        .next()
        .ok_or_else(|| format!("figure `{id}` has no numbers: hit points/Defense/Attack/Damage, as in 20/14/+5/10"))?;
    let numbers: Vec<&str> = stats.split('/').collect();
    let [hp, def, atk, dmg] = numbers[..] else {
        return Err(format!(
            "`{stats}` are not four numbers: hit points/Defense/Attack/Damage, as in 20/14/+5/10"
        ));
    };
    fn number<T: std::str::FromStr>(text: &str) -> Result<Option<T>, String> {
        text.trim_start_matches('+')
            .parse()
            .map(Some)
            .map_err(|_| format!("`{text}` is no number here"))
    }
    let abilities = abilities
        .split(',')
        .map(str::trim)
        .filter(|ability| !ability.is_empty());
    let mut figure = WireFigure {
        hp: number(hp)?,
        def: number(def)?,
        atk: number(atk)?,
        dmg: number(dmg)?,
        abilities: abilities.map(str::to_owned).collect(),
        ..WireFigure::default()
    };
    let mut said: Vec<&str> = Vec::new();
    while let Some(word) = words.next() {
        let about = match word {
            "player" | "automated" => "side",
            word => word,
        };
        if said.contains(&about) {
            return Err(match about {
                "side" => {
                    format!("figure `{id}` is said twice to be somebody's: leave one of `player` and `automated` out")
                }
                word => format!("`{word}` is there twice for figure `{id}`: leave one of them out"),
            });
        }
        said.push(about);
        match word {
            "activated" => figure.activated = true,
            "unique" => figure.unique = true,
            "commander" => figure.commander = true,
            "player" => figure.side = Some(crate::swm::figure::Side::Player),
            "automated" => figure.side = Some(crate::swm::figure::Side::Automated),
            "speed" | "force" | "max" | "cost" | "size" | "type" | "at" => {
                let value = words.next().ok_or_else(|| format!("`{word}` has no value"))?;
                match word {
                    "speed" => figure.speed = number(value)?,
                    "force" => figure.force = number(value)?,
                    "max" => figure.hp_max = number(value)?,
                    "cost" => figure.cost = number(value)?,
                    "size" => figure.size = Some(value.parse().map_err(|error| format!("{error}"))?),
                    "at" => figure.at = Some(value.parse().map_err(|error| format!("{error}"))?),
                    _ => {
                        figure.ai_type = Some(match value {
                            "shooter" => crate::swm::figure::Kind::Shooter,
                            "melee" => crate::swm::figure::Kind::Melee,
                            "hybrid" => crate::swm::figure::Kind::Hybrid,
                            other => return Err(format!("`{other}` is no type: shooter, melee, hybrid")),
                        });
                    }
                }
            }
            "attack" | "defense" | "damage" | "faster" => {
                let value = words.next().ok_or_else(|| format!("`{word}` has no value, as in +4"))?;
                let value = number(value)?.unwrap_or_default();
                let modifiers = figure.modifiers.get_or_insert_default();
                match word {
                    "attack" => modifiers.attack = value,
                    "defense" => modifiers.defense = value,
                    "damage" => modifiers.damage = value,
                    _ => modifiers.speed = value,
                }
            }
            "name" => {
                // The name runs to the colon.
                figure.name = words.by_ref().collect::<Vec<_>>().join(" ");
            }
            other => {
                return Err(format!(
                    "`{other}` is not understood; expected speed, force, max, cost, size, type, at, activated, unique, \
                     commander, player, automated, attack, defense, damage, faster, name, or `:` before abilities"
                ));
            }
        }
    }
    Ok((id, figure))
}
