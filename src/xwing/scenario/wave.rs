//! SA-13: who arrives at the beginning of a round: a function of the round and of what is destroyed.

use super::{Scenario, ScenarioError, SideName, Variant, Wave, standing::Standing};

/// Ships of a group that arrive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// The group.
    pub group: String,
    /// How many.
    pub count: u32,
}

/// A count of the file for so many player ships, rounded up (choice): waves grow with the player's squad.
pub(super) fn scaled(count: u32, player_ships: u32, usual: u32) -> u32 {
    let product = u64::from(count) * u64::from(player_ships);
    u32::try_from(product.div_ceil(u64::from(usual.max(1)))).unwrap_or(u32::MAX)
}

impl Wave {
    /// Whether its round has come and its condition holds. The numbers of a condition grow with the player's squad.
    fn comes(&self, scenario: &Scenario, round: u32, standing: &Standing, player_ships: u32) -> bool {
        self.round == round
            && self.when.as_ref().is_none_or(|condition| {
                let destroyed = standing.destroyed(&condition.destroyed);
                let scale = |count| scaled(count, player_ships, scenario.player_ships.usual);
                // "At least one" and "none" stay what they are, whatever the number of player ships.
                let at_least = |&least: &u32| destroyed >= if least <= 1 { least } else { scale(least) };
                let at_most = |&most: &u32| destroyed <= scale(most);
                condition.at_least.as_ref().is_none_or(at_least) && condition.at_most.as_ref().is_none_or(at_most)
            })
    }

    /// What it places, for so many player ships: together the file's total, scaled and rounded up, shared out among the
    /// groups by what they are short of, the larger remainder first, equal ones in the order of the scenario's groups.
    fn places(&self, scenario: &Scenario, player_ships: u32) -> Vec<Arrival> {
        let usual = scenario.player_ships.usual.max(1);
        let mut arrivals = Vec::new();
        // Index in `arrivals`, and the remainder of the division by `usual`.
        let mut remainders: Vec<(usize, u32)> = Vec::new();
        let (mut whole, mut total) = (0, 0);
        for group in &scenario.groups {
            let Some(&count) = self.place.get(&group.id).filter(|count| **count > 0) else {
                continue;
            };
            let exact = count * player_ships;
            let count = match group {
                group if group.side == SideName::Player => scaled(count, player_ships, usual),
                group if group.unscaled => count,
                _ => {
                    remainders.push((arrivals.len(), exact % usual));
                    whole += exact / usual;
                    total += exact;
                    exact / usual
                }
            };
            arrivals.push(Arrival {
                group: group.id.clone(),
                count,
            });
        }
        remainders.sort_by_key(|&(_, remainder)| std::cmp::Reverse(remainder));
        let missing = (total.div_ceil(usual) - whole) as usize;
        for &(index, _) in remainders.iter().take(missing) {
            arrivals[index].count += 1;
        }
        arrivals.retain(|arrival| arrival.count > 0);
        arrivals
    }
}

/// Who arrives at the beginning of a round (0: at set-up), by group in the scenario's order (SA-13).
///
/// # Errors
/// The scenario has no such variant.
pub fn arrivals(
    scenario: &Scenario,
    variant: Option<&str>,
    player_ships: u32,
    round: u32,
    standing: &Standing,
) -> Result<Vec<Arrival>, ScenarioError> {
    let variant: Option<&Variant> = variant.map(|id| scenario.variant(id)).transpose()?;
    let waves = scenario
        .waves
        .iter()
        .chain(variant.iter().flat_map(|variant| &variant.waves));
    let mut sum: Vec<Arrival> = Vec::new();
    for wave in waves.filter(|wave| wave.comes(scenario, round, standing, player_ships)) {
        for arrival in wave.places(scenario, player_ships) {
            match sum.iter_mut().find(|known| known.group == arrival.group) {
                Some(known) => known.count += arrival.count,
                None => sum.push(arrival),
            }
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::{super::standing::Count, *};

    fn standing(destroyed: [u32; 2]) -> Standing {
        let counts = ["patrol", "reinforcement"].into_iter().zip(destroyed);
        let count = |destroyed| Count {
            destroyed,
            ..Count::default()
        };
        Standing(
            counts
                .map(|(group, destroyed)| (group.to_owned(), count(destroyed)))
                .collect(),
        )
    }

    fn who(players: u32, round: u32, destroyed: [u32; 2]) -> String {
        let arrivals = arrivals(Scenario::intro(), None, players, round, &standing(destroyed)).unwrap();
        let words: Vec<String> = arrivals.iter().map(|a| format!("{} {}", a.count, a.group)).collect();
        words.join(", ")
    }

    #[test]
    fn sa_13_waves_follow_what_is_destroyed() {
        let cases = [
            (2, 0, [0, 0], "2 player, 2 patrol"),
            (2, 1, [0, 0], ""),
            (2, 4, [0, 0], "2 patrol"),
            (2, 4, [1, 0], "1 patrol, 1 reinforcement"),
            (2, 4, [2, 0], "1 patrol, 1 reinforcement"),
            (2, 5, [4, 2], ""),
            (2, 7, [0, 0], "1 reinforcement"),
            (2, 7, [1, 1], "1 reinforcement"),
            (2, 7, [2, 1], "1 reinforcement, 1 patrol"),
            (2, 7, [3, 0], "1 reinforcement, 1 patrol"),
            (2, 8, [4, 1], ""),
            // Waves grow with the player's squad; "at least three" does too, "none" and "at least one" do not.
            (1, 0, [0, 0], "1 player, 1 patrol"),
            (1, 4, [0, 0], "1 patrol"),
            (1, 4, [1, 0], "1 patrol"),
            (1, 7, [1, 0], "1 reinforcement"),
            (1, 7, [2, 0], "1 reinforcement, 1 patrol"),
            (3, 0, [0, 0], "3 player, 3 patrol"),
            (3, 4, [1, 0], "2 patrol, 1 reinforcement"),
            (3, 7, [2, 2], "2 reinforcement"),
            (3, 7, [3, 2], "2 reinforcement, 2 patrol"),
            (4, 4, [1, 0], "2 patrol, 2 reinforcement"),
            (4, 7, [3, 3], "2 reinforcement, 2 patrol"),
        ];
        for (players, round, destroyed, expected) in cases {
            assert_eq!(
                who(players, round, destroyed),
                expected,
                "{players} players, round {round}, {destroyed:?}"
            );
        }
    }
}
