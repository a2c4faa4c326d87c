//! How a scenario stands: what of each group is waiting, in play, destroyed or gone.

use std::collections::BTreeMap;

use super::{Ending, Scenario, SideName};
use crate::xwing::{ship::Status, table::Table};

/// Numbers of one group's ships.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Not placed yet.
    pub waiting: u32,
    /// On the table, or docked to a ship there.
    pub in_play: u32,
    /// Shot down.
    pub destroyed: u32,
    /// Fled or taken away.
    pub gone: u32,
}

impl Count {
    /// One ship more of that status.
    pub fn add(&mut self, status: Status) {
        *match status {
            Status::Reserved => &mut self.waiting,
            Status::InPlay | Status::Docked => &mut self.in_play,
            Status::Destroyed => &mut self.destroyed,
            Status::Removed => &mut self.gone,
        } += 1;
    }
}

/// How a scenario stands, by group.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing(pub BTreeMap<String, Count>);

impl Standing {
    /// Counts a table's ships. A ship's group is its id without the number at its end; others belong to no group.
    pub fn of(scenario: &Scenario, table: &Table) -> Standing {
        let mut counts: BTreeMap<String, Count> = BTreeMap::new();
        for ship in &table.ships {
            let Some(group) = group_of(scenario, &ship.id) else {
                continue;
            };
            counts.entry(group.to_owned()).or_default().add(ship.status);
        }
        Standing(counts)
    }

    /// The count of a group.
    pub fn count(&self, group: &str) -> Count {
        self.0.get(group).copied().unwrap_or_default()
    }

    /// Destroyed ships of some groups together.
    pub fn destroyed<'g>(&self, groups: impl IntoIterator<Item = &'g String>) -> u32 {
        groups.into_iter().map(|group| self.count(group).destroyed).sum()
    }
}

/// The group that a ship belongs to by its id, as in `patrol-3`.
pub fn group_of<'s>(scenario: &'s Scenario, id: &str) -> Option<&'s str> {
    let (group, number) = id.rsplit_once('-')?;
    number.parse::<u32>().ok()?;
    scenario.group(group).map(|group| group.id.as_str())
}

impl Scenario {
    /// SA-13: the ending that has come, in the round that is being played, if any.
    pub fn ended(&self, round: u32, standing: &Standing) -> Option<&Ending> {
        let left = |side: SideName| -> u32 {
            let groups = self.groups.iter().filter(|group| group.side == side);
            groups.map(|group| standing.count(&group.id).in_play).sum()
        };
        self.endings
            .iter()
            .find(|ending| round >= ending.from_round && left(ending.without) == 0)
    }
}
