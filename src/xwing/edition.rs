//! The editions of the game, and what differs between them: one field of [`Rules`] a topic (FE-15, FE-14).
//!
//! An edition is its data (`data/`, `data/first-edition/`) and a [`Rules`] record. The record holds no code: where a topic is
//! carried out, and nowhere else, its field is asked. Options of the first edition ([`options`]) choose other values of the
//! same fields. [`super::table::Table::rules`] has the rules of a table; a ship and a catalog know their [`Edition`], which
//! says what is printed on cards and bases.

use serde::{Deserialize, Serialize};

use super::{maneuver::Maneuver, size::Size};

pub mod options;
pub mod solo;
pub mod topic;
pub mod words;

pub use options::FirstEditionOptions;
pub use solo::SoloReadings;
pub use topic::{
    ActionSet, AddedResult, BarrelRoll, Bombs, CardActions, Contact, Coordinate, DamageDeckKind, DamageDecks, Dispute,
    Dying, EndPhase, Evade, Factions, FailedReposition, FirstInitiative, HugeWeapons, IdOrder, IonActions, Jam,
    LateTurn, LeavingTheArea, Locks, ObstacleMet, ObstaclePlacing, RangeBonus, Reinforce, Reload, RoundLimit, SameCard,
    SameName, SameSkill, ShowRanges, SkillOfDamageCards, Slam, StressedRed, Tallon, Ties, TokenSpending, TokenUse,
    Tractor, TractoredAgility, Victory, WhenDecloaking, WrongDial,
};

/// A printing of the game whose cards belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Edition {
    /// X-Wing of 2018 and later (SA).
    #[default]
    Second,
    /// X-Wing of 2012 to 2018 (FE).
    First,
}

impl Edition {
    /// Both.
    pub const ALL: [Edition; 2] = [Edition::Second, Edition::First];

    /// The edition in a word: `first` or `second`.
    pub const fn name(self) -> &'static str {
        match self {
            Edition::Second => "second",
            Edition::First => "first",
        }
    }

    /// What the edition calls the value that ships are ordered by.
    pub const fn order_value(self) -> &'static str {
        self.words().order_value
    }

    /// Its rules as written, without options.
    pub const fn rules(self) -> Rules {
        match self {
            Edition::Second => Rules::SECOND,
            Edition::First => Rules::FIRST,
        }
    }
}

/// What differs between the editions, and within the first one between its rulebooks: a value for each topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Which cards are played with.
    pub edition: Edition,
    /// Tokens that ionize a ship, by [`Size`] (SA-6.1, FE-7.2).
    pub ion_limits: [u32; 4],
    /// What an ionized ship may do (SA-6.1, FE-7.2).
    pub ion_actions: IonActions,
    /// Whether ionized ships are given dials (FE-3.2).
    pub ionized_dials: bool,
    /// Whose ships come first at equal initiative or skill (FE-4.1).
    pub ties: Ties,
    /// How one side's own ships of equal initiative or skill are ordered (FE-SOLO-2).
    pub same_skill: SameSkill,
    /// From when on a damage card changes the skill (FE-4.1).
    pub skill_of_damage_cards: SkillOfDamageCards,
    /// Who is first (FE-2.1, FE-14.1).
    pub first_initiative: FirstInitiative,
    /// Where obstacles may lie (FE-2.2, FE-2.3, FE-14.3).
    pub obstacle_placing: ObstaclePlacing,
    /// What becomes of a red maneuver of a stressed ship (SA-6.2, FE-4.3, FE-14.4).
    pub stressed_red: StressedRed,
    /// What bases that meet do to each other (SA-0, FE-4.7, FE-14.5).
    pub contact: Contact,
    /// What it means to meet an obstacle (SA-7, FE-4.8, FE-14.6).
    pub obstacle_met: ObstacleMet,
    /// How a Tallon roll is set down (FE-4.6).
    pub tallon: Tallon,
    /// How a barrel roll is set down (FE-6.1).
    pub barrel_roll: BarrelRoll,
    /// What becomes of a boost, roll or decloak that does not fit (FE-5.5, FE-6.3).
    pub failed_reposition: FailedReposition,
    /// Which actions there are (FE-6, FE-14.7).
    pub actions: ActionSet,
    /// How often actions of cards of one name are taken (FE-5.4).
    pub card_actions: CardActions,
    /// Which maneuvers a SLAM may be (FE-6.12).
    pub slam: Slam,
    /// When a tractor token lets a ship be moved (FE-7.3).
    pub tractor: Tractor,
    /// What an evade token does (SA-11, FE-6.5).
    pub evade: Evade,
    /// What a reinforce token does (FE-6.9).
    pub reinforce: Reinforce,
    /// What the jam action and its token do (FE-6.7).
    pub jam: Jam,
    /// What the coordinate action gives (FE-6.4).
    pub coordinate: Coordinate,
    /// What the reload action does (FE-6.10).
    pub reload: Reload,
    /// What can be locked, and from where (FE-6.13).
    pub locks: Locks,
    /// When and how cloaked ships decloak (FE-6.3).
    pub decloaking: WhenDecloaking,
    /// When bombs and mines are dropped (SA-2, FE-11).
    pub bombs: Bombs,
    /// How many tokens of a kind a step of an attack takes (FE-8.8, FE-14.14).
    pub token_spending: TokenSpending,
    /// Which dice tokens may be spent on (FE-6.6, FE-6.13, FE-8.7).
    pub token_use: TokenUse,
    /// What an added result is to later effects (FE-8.7).
    pub added_result: AddedResult,
    /// When a ship shot down leaves (FE-9.5, FE-14.11).
    pub dying: Dying,
    /// Whether a ship still has its turn whose order value rises above the active one's (FE-8.1).
    pub late_turn: LateTurn,
    /// Which weapons have the range bonus (FE-8.5).
    pub range_bonus: RangeBonus,
    /// How far the weapons of huge ships reach (FE-0.3).
    pub huge_weapons: HugeWeapons,
    /// What tractor tokens do to agility (FE-7.3).
    pub tractored_agility: TractoredAgility,
    /// Which tokens go in the End phase (FE-10.1, FE-14.8).
    pub end_phase: EndPhase,
    /// When it is looked whether a side has won (FE-10.2).
    pub victory: Victory,
    /// Who wins when the rounds that were agreed are over (FE-10.3).
    pub round_limit: RoundLimit,
    /// Which damage cards are dealt (FE-9.2, FE-14.9).
    pub damage_deck: DamageDeckKind,
    /// When distances are shown to a human (FE-0.7).
    pub show_ranges: ShowRanges,
    /// What a ship flies whose dial is missing or another ship's (FE-3.3).
    pub wrong_dial: WrongDial,
    /// How many damage decks a game has (FE-2, FE-9.2).
    pub damage_decks: DamageDecks,
    /// Which factions a squad may join (FE-1.2).
    pub factions: Factions,
    /// Whether a ship may have a card twice (FE-1.4).
    pub same_card: SameCard,
    /// Which names may occur twice in a squad (FE-1.3, FE-14.10).
    pub same_name: SameName,
    /// What leaving the play area costs (FE-4.9, FE-14.15).
    pub leaving: LeavingTheArea,
    /// How a question is settled that no rule answers (FE-0.8, FE-14.13).
    pub dispute: Dispute,
    /// Whether players of a team may see each other's dials (FE-13.3, FE-14.12).
    pub team_dials: bool,
    /// Whether a large ship at half of its hull and shields gives half of its cost (FE-10.3).
    pub large_half_points: bool,
    /// How the solo rules are read (FE-SOLO).
    pub solo: SoloReadings,
}

impl Rules {
    /// The second edition (SA).
    pub const SECOND: Rules = Rules {
        edition: Edition::Second,
        ion_limits: [1, 2, 3, 3],
        ion_actions: IonActions::FocusOnly,
        ionized_dials: true,
        ties: Ties::PlayerOrder,
        same_skill: SameSkill::ById,
        skill_of_damage_cards: SkillOfDamageCards::AtOnce,
        first_initiative: FirstInitiative::LowerTotalChooses,
        obstacle_placing: ObstaclePlacing::EdgesAndEachOther,
        stressed_red: StressedRed::White2Straight,
        contact: Contact::RangeZero,
        obstacle_met: ObstacleMet::Second,
        tallon: Tallon::ThreePlaces,
        barrel_roll: BarrelRoll::ThreePlaces,
        failed_reposition: FailedReposition::ActionLost,
        actions: ActionSet::Second,
        card_actions: CardActions::EachCopy,
        slam: Slam::NotOverTheEdge,
        tractor: Tractor::WhenTractored,
        evade: Evade::ChangesADie,
        reinforce: Reinforce::CancelsOne,
        jam: Jam::JammerPicks,
        coordinate: Coordinate::UnstressedOnly,
        reload: Reload::OneCharge,
        locks: Locks::AnyObject,
        decloaking: WhenDecloaking::SystemPhase,
        bombs: Bombs::SystemPhase,
        token_spending: TokenSpending::Unlimited,
        token_use: TokenUse::DiceItChanges,
        added_result: AddedResult::Apart,
        dying: Dying::AfterItsInitiative,
        late_turn: LateTurn::ComesNext,
        range_bonus: RangeBonus::AllButOrdnance,
        huge_weapons: HugeWeapons::Range3,
        tractored_agility: TractoredAgility::OneLess,
        end_phase: EndPhase::RoundTokens,
        victory: Victory::AtOnce,
        round_limit: RoundLimit::Undecided,
        damage_deck: DamageDeckKind::Second,
        show_ranges: ShowRanges::Always,
        wrong_dial: WrongDial::Unsaid,
        damage_decks: DamageDecks::Shared,
        factions: Factions::Seven,
        same_card: SameCard::Never,
        same_name: SameName::Limited,
        leaving: LeavingTheArea::ShipLost,
        dispute: Dispute::TheProgramSays,
        team_dials: true,
        large_half_points: false,
        solo: SoloReadings::SECOND,
    };

    /// The first edition by its later rules (FE, `rules_text = later`).
    pub const FIRST: Rules = Rules {
        edition: Edition::First,
        ion_limits: [1, 2, 2, 2],
        ion_actions: IonActions::Any,
        ionized_dials: false,
        ties: Ties::WholeGame,
        same_skill: SameSkill::ByIdNumber,
        skill_of_damage_cards: SkillOfDamageCards::NextRound,
        first_initiative: FirstInitiative::LowerTotalChooses,
        obstacle_placing: ObstaclePlacing::EdgesAndEachOther,
        stressed_red: StressedRed::White2Straight,
        contact: Contact::Touching,
        obstacle_met: ObstacleMet::First,
        tallon: Tallon::AnySlide,
        barrel_roll: BarrelRoll::AnySlide,
        failed_reposition: FailedReposition::Another,
        actions: ActionSet::First,
        card_actions: CardActions::EachName,
        slam: Slam::AnyOfItsSpeed,
        tractor: Tractor::FirstOnSmall,
        evade: Evade::AddsAResult,
        reinforce: Reinforce::AddsAnEvade,
        jam: Jam::OwnerPicks { range_1_only: false },
        coordinate: Coordinate::FreeAction,
        reload: Reload::AllCards,
        locks: Locks::Enemies,
        decloaking: WhenDecloaking::StartOfActivation,
        bombs: Bombs::OwnActivation,
        token_spending: TokenSpending::OneOfAKind,
        token_use: TokenUse::AnyDice,
        added_result: AddedResult::NormalDie,
        dying: Dying::AfterItsTurn,
        late_turn: LateTurn::IsLost,
        range_bonus: RangeBonus::PrimariesOnly,
        huge_weapons: HugeWeapons::Range5,
        tractored_agility: TractoredAgility::OneLessEachToken,
        end_phase: EndPhase::First,
        victory: Victory::EndOfRound,
        round_limit: RoundLimit::ByScore,
        damage_deck: DamageDeckKind::Core2015,
        show_ranges: ShowRanges::AtTheirMoments,
        wrong_dial: WrongDial::ShownOrOpponent,
        damage_decks: DamageDecks::OnePerSide,
        factions: Factions::Three,
        same_card: SameCard::UnlessLimited,
        same_name: SameName::Unique,
        leaving: LeavingTheArea::ShipLost,
        dispute: Dispute::TheProgramSays,
        team_dials: true,
        large_half_points: false,
        solo: SoloReadings::FIRST,
    };

    /// The range of a distance, mm (SA-0, FE-0.3): n up to 100n inclusive, `None` beyond range 3. Contact is range 0, or
    /// range 1 where there is no range 0.
    pub fn range(&self, mm: f64) -> Option<u32> {
        let range = super::measure::range(mm);
        match self.contact {
            Contact::RangeZero => range,
            Contact::Touching | Contact::AnyContact => range.map(|range| range.max(1)),
        }
    }

    /// The farthest range of the weapons of a ship of that size (FE-0.3).
    pub const fn farthest_range(&self, size: Size) -> u32 {
        match self.huge_weapons {
            HugeWeapons::Range5 if matches!(size, Size::Huge) => 5,
            HugeWeapons::Range3 | HugeWeapons::Range5 => 3,
        }
    }

    /// As [`Rules::range`], of an attack by a ship of that size: beyond range 3 there are 4 and 5 for the weapons of huge ships
    /// that reach there (FE-0.3).
    pub fn attack_range(&self, size: Size, mm: f64) -> Option<u32> {
        let farther = || super::measure::range_up_to(self.farthest_range(size), mm);
        self.range(mm).or_else(farther)
    }

    /// Tokens that ionize a ship of that size (SA-6.1, FE-7.2).
    pub const fn ion_limit(&self, size: Size) -> u32 {
        self.ion_limits[size.in_effects() as usize]
    }

    /// What an ionized ship executes: a 1 straight, whatever its dial has. Blue in the second edition (SA-6.1), white in the
    /// first, where stress neither comes nor goes with it (FE-7.2).
    pub const fn ion_maneuver(&self) -> Maneuver {
        match self.ion_actions {
            IonActions::FocusOnly => Maneuver::ION,
            IonActions::Any => Maneuver::WHITE_ION,
        }
    }

    /// Whether a round has a System Phase: the first edition has nothing that would happen in one (FE-3.1).
    pub const fn has_system_phase(&self) -> bool {
        matches!(self.decloaking, WhenDecloaking::SystemPhase) || matches!(self.bombs, Bombs::SystemPhase)
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules::SECOND
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_editions_have_their_own_rules() {
        for edition in Edition::ALL {
            assert_eq!(edition.rules().edition, edition);
        }
        let limits = |rules: Rules| [Size::Small, Size::Medium, Size::Large].map(|size| rules.ion_limit(size));
        assert_eq!(limits(Rules::SECOND), [1, 2, 3]);
        assert_eq!(limits(Rules::FIRST)[0], 1);
        for (rules, order) in [
            (
                Rules::SECOND,
                ["P1", "P10", "P2", "a1", "a01", "b", "x99999999999999999999"],
            ),
            (
                Rules::FIRST,
                ["P1", "P2", "P10", "a01", "a1", "b", "x99999999999999999999"],
            ),
        ] {
            let mut ids = order;
            ids.reverse();
            ids.sort_by_key(|id| rules.same_skill.order(id));
            let wanted = match rules.edition {
                Edition::Second => ["P1", "P10", "P2", "a01", "a1", "b", "x99999999999999999999"],
                Edition::First => order,
            };
            assert_eq!(ids, wanted, "FE-SOLO-2");
        }
        assert_eq!(limits(Rules::FIRST)[2], 2);
    }
}
