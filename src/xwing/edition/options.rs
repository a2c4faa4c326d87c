//! The options of the first edition: its first rulebook (`rulebook2012`), each row of FE-14 alone, and the page's own choices.

use serde::{Deserialize, Serialize};

use super::{
    Rules, SoloReadings,
    solo::SoloInitiative,
    topic::{
        ActionSet, Contact, DamageDeckKind, DamageDecks, Dispute, Dying, EndPhase, FirstInitiative, Jam,
        LeavingTheArea, ObstacleMet, ObstaclePlacing, SameName, ShowRanges, StressedRed, TokenSpending,
    },
};

/// Options of the first edition as a person writes them. A row that is not named follows `rulebook2012`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct FirstEditionOptions {
    /// FE-0.1: whether all rows of FE-14 are as the rulebook of 2012 has them.
    #[serde(rename = "rulebook2012", skip_serializing_if = "is_off")]
    pub rulebook_2012: bool,
    /// FE-14.1: the lower total has the initiative, and does not only choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_total_has_initiative: Option<bool>,
    /// FE-14.3: obstacles keep away from edges alone; the Imperial side starts, the Rebel side picks its edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obstacles_keep_from_edges_only: Option<bool>,
    /// FE-14.4: the opponent picks the maneuver of a stressed ship that shows red.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stressed_red_by_opponent: Option<bool>,
    /// FE-14.5: ships in contact never shoot each other, however they came to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touching_by_contact: Option<bool>,
    /// FE-14.6: obstacles are met by the base alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obstacles_met_by_base: Option<bool>,
    /// FE-14.7: only evade, focus, barrel roll, lock and actions of cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub few_actions: Option<bool>,
    /// FE-14.8: only focus and evade tokens go in the End phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub few_tokens_go: Option<bool>,
    /// FE-14.9: the damage deck of 2012.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_damage_deck: Option<bool>,
    /// FE-14.10: no pilot's name twice in a squad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_pilot_twice: Option<bool>,
    /// FE-14.11: a dying ship stays until it has attacked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dies_after_attack: Option<bool>,
    /// FE-14.12: team-mates hide their dials from each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden_team_dials: Option<bool>,
    /// FE-14.13: open questions are settled by a roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispute_roll: Option<bool>,
    /// FE-14.14: any number of tokens in a step of an attack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spend_any_tokens: Option<bool>,
    /// FE-14.15 as it is worded: leaving the play area loses the game. Not part of `rulebook2012`, which reads it as that
    /// ship's loss (FE-4.9).
    #[serde(skip_serializing_if = "is_off")]
    pub leaving_loses_game: bool,
    /// FE-6.7: jam reaches range 1 alone.
    #[serde(skip_serializing_if = "is_off")]
    pub jam_range_1_only: bool,
    /// FE-10.3: half points for large ships.
    #[serde(skip_serializing_if = "is_off")]
    pub large_half_points: bool,
    /// FE-0.7: distances are shown whenever the program has measured.
    #[serde(skip_serializing_if = "is_off")]
    pub show_ranges: bool,
    /// FE-2: both players draw from one damage deck, as they do who have but one.
    #[serde(skip_serializing_if = "is_off")]
    pub shared_damage_deck: bool,
    /// FE-SOLO-2: initiative follows from the squads' totals also where one side is flown by the solo rules.
    #[serde(skip_serializing_if = "is_off")]
    pub solo_initiative_by_points: bool,
    /// FE-SOLO-8: a Defensive solo ship without a target cloaks, after evade.
    #[serde(skip_serializing_if = "is_off")]
    pub solo_cloak: bool,
}

fn is_off(option: &bool) -> bool {
    !option
}

impl FirstEditionOptions {
    /// Switches one option on or off, by the name that people write.
    ///
    /// # Errors
    /// No option of that name; the message lists those that there are.
    pub fn switch(&mut self, name: &str, on: bool) -> Result<(), serde_json::Error> {
        let one = serde_json::json!({ name: on });
        // Read alone first, so that a name that is not known is told and nothing is changed.
        serde_json::from_value::<FirstEditionOptions>(one)?;
        let mut all = serde_json::to_value(*self)?;
        all[name] = on.into();
        *self = serde_json::from_value(all)?;
        Ok(())
    }

    /// The options that are switched, in the order of their names.
    pub fn switches(&self) -> Vec<(String, bool)> {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(all)) => {
                let on = |(name, value): (String, serde_json::Value)| Some((name, value.as_bool()?));
                all.into_iter().filter_map(on).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The rules that these options make.
    pub fn rules(&self) -> Rules {
        fn pick<T>(old: bool, then: T, later: T) -> T {
            if old { then } else { later }
        }
        let row = |own: Option<bool>| own.unwrap_or(self.rulebook_2012);
        Rules {
            first_initiative: pick(
                row(self.lower_total_has_initiative),
                FirstInitiative::LowerTotal,
                Rules::FIRST.first_initiative,
            ),
            obstacle_placing: pick(
                row(self.obstacles_keep_from_edges_only),
                ObstaclePlacing::EdgesOnly,
                Rules::FIRST.obstacle_placing,
            ),
            stressed_red: pick(
                row(self.stressed_red_by_opponent),
                StressedRed::OpponentPicks,
                Rules::FIRST.stressed_red,
            ),
            contact: pick(row(self.touching_by_contact), Contact::AnyContact, Rules::FIRST.contact),
            obstacle_met: pick(
                row(self.obstacles_met_by_base),
                ObstacleMet::Rulebook2012,
                Rules::FIRST.obstacle_met,
            ),
            actions: pick(row(self.few_actions), ActionSet::Rulebook2012, Rules::FIRST.actions),
            end_phase: pick(row(self.few_tokens_go), EndPhase::Rulebook2012, Rules::FIRST.end_phase),
            damage_deck: pick(
                row(self.core_damage_deck),
                DamageDeckKind::Core2012,
                Rules::FIRST.damage_deck,
            ),
            show_ranges: pick(self.show_ranges, ShowRanges::Always, Rules::FIRST.show_ranges),
            damage_decks: pick(self.shared_damage_deck, DamageDecks::Shared, Rules::FIRST.damage_decks),
            same_name: pick(row(self.no_pilot_twice), SameName::NoPilotTwice, Rules::FIRST.same_name),
            dying: pick(row(self.dies_after_attack), Dying::AfterItsAttack, Rules::FIRST.dying),
            team_dials: !row(self.hidden_team_dials),
            dispute: pick(row(self.dispute_roll), Dispute::Roll, Rules::FIRST.dispute),
            token_spending: pick(
                row(self.spend_any_tokens),
                TokenSpending::Unlimited,
                Rules::FIRST.token_spending,
            ),
            leaving: pick(self.leaving_loses_game, LeavingTheArea::GameLost, Rules::FIRST.leaving),
            jam: Jam::OwnerPicks {
                range_1_only: self.jam_range_1_only,
            },
            large_half_points: self.large_half_points,
            solo: SoloReadings {
                initiative: pick(
                    self.solo_initiative_by_points,
                    SoloInitiative::Points,
                    SoloReadings::FIRST.initiative,
                ),
                cloaks: self.solo_cloak,
                ..SoloReadings::FIRST
            },
            ..Rules::FIRST
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rulebook_of_2012_sets_all_rows_and_each_row_can_be_set_alone() {
        let read = |text: &str| serde_json::from_str::<FirstEditionOptions>(text).map(|options| options.rules());
        assert_eq!(read("{}").unwrap(), Rules::FIRST);
        let old = read(r#"{"rulebook2012": true}"#).unwrap();
        assert_eq!(old.contact, Contact::AnyContact);
        assert_eq!(old.damage_deck, DamageDeckKind::Core2012);
        let mixed = read(r#"{"rulebook2012": true, "touchingByContact": false}"#).unwrap();
        assert_eq!(
            Rules {
                contact: Contact::AnyContact,
                ..mixed
            },
            old
        );
        assert_eq!(mixed.contact, Contact::Touching);
        assert_eq!(
            read(r#"{"coreDamageDeck": true}"#).unwrap(),
            Rules {
                damage_deck: DamageDeckKind::Core2012,
                ..Rules::FIRST
            }
        );
        assert!(read(r#"{"rulebook": true}"#).is_err());
    }
}
