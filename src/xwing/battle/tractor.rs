//! Tractor tokens: what a ship that becomes tractored goes through.

use serde::{Deserialize, Serialize};

use super::{Battle, Event, Refused, Request};
use crate::{
    dice::DiceSource,
    xwing::{
        ObjectId,
        edition::Tractor,
        maneuver::Side,
        movement::MovementOptions,
        reposition::{self, BoostTemplate, Reposition, Sidestep},
        ship::Ship,
        size::Size,
        table::Table,
    },
};

/// How a ship that has become tractored is moved by the one whose effect it was.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Pull {
    /// A barrel roll.
    BarrelRoll {
        /// To which side of the moved ship.
        side: Side,
        /// How far forward of the middle it ends, mm.
        slide_mm: f64,
    },
    /// A boost by the straight template of speed 1.
    Boost,
}

impl Pull {
    /// All ways for a ship that are worth naming, through obstacles and onto them (SA-12, FE-7.3).
    pub fn all<'a>(table: &'a Table, ship: &'a Ship, options: &'a MovementOptions) -> impl Iterator<Item = Pull> + 'a {
        let rolls = Side::BOTH.into_iter().flat_map(move |side| {
            let places = reposition::places_over_obstacles(table, ship, Sidestep::BarrelRoll, side, options);
            places
                .into_iter()
                .map(move |slide_mm| Pull::BarrelRoll { side, slide_mm })
        });
        std::iter::once(Pull::Boost).chain(rolls)
    }
}

impl Battle {
    /// How a pull of a ship would come out, if it can be made: it may lie on obstacles, but on no ship and not over the
    /// edge.
    pub fn pulled(&self, target: &str, pull: Pull) -> Option<Reposition> {
        let index = self.index(target)?;
        let options = self.movement(index);
        let ship = &self.table.ships[index];
        let end = match pull {
            Pull::BarrelRoll { side, slide_mm } => {
                if !reposition::knows_slide(&self.table.rules, ship.size, Sidestep::BarrelRoll, slide_mm) {
                    return None;
                }
                reposition::barrel_roll(&self.table, ship, side, slide_mm, &options)
            }
            Pull::Boost => reposition::boost(&self.table, ship, BoostTemplate::Straight, &options),
        };
        (!self.is_stopped(&end, ship)).then_some(end)
    }

    /// A ship gains tractor tokens by an effect of another. The first time in a round that it becomes tractored, whoever
    /// flies that other ship may move it: that is asked when the battle goes on, after an attack that is under way; at a
    /// real table it is told instead. In the first edition its opponent may, the first time in a round that a small ship gets
    /// such a token (FE-7.3).
    pub fn gain_tractor(&mut self, id: &str, count: u32, by: &ObjectId) {
        let Some(index) = self.index(id) else {
            return;
        };
        let ship = &mut self.table.ships[index];
        let limit = ship.ion_limit();
        let before = ship.tokens.tractor;
        ship.tokens.tractor += count;
        let becomes = match self.table.rules.tractor {
            Tractor::WhenTractored => before < limit && ship.tokens.tractor >= limit,
            Tractor::FirstOnSmall => count > 0 && ship.size == Size::Small,
        };
        let target = ship.id.clone();
        self.record_tokens(index);
        let pulled = &mut self.fighters[index].pulled;
        let first = becomes && !*pulled;
        *pulled |= becomes;
        let mut by = by;
        let opponent = self.opponent_of(&self.table.ships[index]).cloned();
        if self.table.rules.tractor == Tractor::FirstOnSmall {
            let enemy = (self.table.ship(by)).is_some_and(|ship| ship.is_enemy_of(&self.table.ships[index]));
            by = match &opponent {
                Some(opponent) if !enemy => opponent,
                _ => by,
            };
        }
        if !first || *by == target || self.fighters[index].integrity.is_destroyed() {
            return;
        }
        if self.at_table {
            let text = format!("{by} may move it now: a barrel roll, or a boost straight ahead");
            self.events.push(Event::Noted { ship: target, text });
        } else {
            let ship = by.clone();
            self.ask_later(Request::Pull { ship, target });
        }
    }

    /// The tractored ship is moved, or not. Obstacles that it is moved through or onto are suffered as after a maneuver.
    pub(super) fn pull(
        &mut self,
        by: &ObjectId,
        target: &ObjectId,
        pull: Option<Pull>,
        dice: &mut dyn DiceSource,
    ) -> Result<(), Refused> {
        let Some(pull) = pull else {
            return Ok(());
        };
        let index = self.asked(target)?;
        let end = self
            .pulled(target, pull)
            .ok_or_else(|| Refused::Pull { ship: target.clone() })?;
        let options = self.movement(index);
        let ship = &self.table.ships[index];
        let mines = self.mines_met(|table| match pull {
            Pull::BarrelRoll { side, slide_mm } => reposition::barrel_roll(table, ship, side, slide_mm, &options),
            Pull::Boost => reposition::boost(table, ship, BoostTemplate::Straight, &options),
        });
        let from = ship.pose;
        self.table.ships[index].pose = end.pose;
        self.table.moved(index, from);
        self.events.push(Event::Pulled {
            ship: target.clone(),
            by: by.clone(),
            from,
            to: end.pose,
        });
        self.go_over(index, &end.crossed, dice);
        self.meet_mines(index, &mines, dice);
        self.remove_destroyed();
        Ok(())
    }
}
