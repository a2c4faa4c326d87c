//! Whose ships come first at equal pilot skill (FE-SOLO-2).

use super::options::FirstPlayer;
use crate::{
    decision::Reason,
    dice::{AttackFace, DiceSource},
    xwing::{
        edition::{Rules, solo::SoloInitiative},
        squad::initiative::{self, Initiative, Side},
    },
};

/// Who comes first for the whole game: `usual`, whose options say so (SA-13), or where the rules ask the totals of the player's
/// and the solo side's squad, as FE-2.1 says. A player who may choose takes the initiative (choice); a solo side that may
/// choose rolls an attack die and takes it by a hit or a critical hit (FE-SOLO-2).
pub fn first(rules: &Rules, usual: FirstPlayer, sides: [Side; 2], dice: &mut dyn DiceSource) -> (FirstPlayer, Reason) {
    let (first, text) = match rules.solo.initiative {
        SoloInitiative::Player => match usual {
            FirstPlayer::Player => (usual, "the player's ships come first".to_owned()),
            FirstPlayer::Solo => (usual, "the solo ships come first, by the option".to_owned()),
        },
        SoloInitiative::Points => {
            let totals = format!("{} points against {}", sides[0].total, sides[1].total);
            match initiative::compare(rules.first_initiative, sides, || dice.attack()) {
                Initiative::Has(0) => (FirstPlayer::Player, format!("{totals}: the player has the initiative")),
                Initiative::Has(_) => (FirstPlayer::Solo, format!("{totals}: the solo side has the initiative")),
                Initiative::Chooses(0) => (
                    FirstPlayer::Player,
                    format!("{totals}: the player chooses, and takes the initiative"),
                ),
                Initiative::Chooses(_) => match dice.attack() {
                    face @ (AttackFace::Hit | AttackFace::Crit) => (
                        FirstPlayer::Solo,
                        format!(
                            "{totals}: the solo side chooses; rolled {}, it takes the initiative",
                            face.word()
                        ),
                    ),
                    face => (
                        FirstPlayer::Player,
                        format!(
                            "{totals}: the solo side chooses; rolled {}, it leaves it to the player",
                            face.word()
                        ),
                    ),
                },
            }
        }
    };
    let reason = Reason {
        rule: "SA-13 FE-SOLO-2".to_owned(),
        text,
        compared: Vec::new(),
    };
    (first, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        dice::{DefenceFace, FixedRoll, SeededDice},
        xwing::edition::FirstEditionOptions,
    };

    #[test]
    fn fe_solo_2_the_player_comes_first_unless_the_totals_decide() {
        let by = |text: &str, totals: [i32; 2], face: AttackFace| {
            let options: FirstEditionOptions = serde_json::from_str(text).unwrap();
            let side = |place: usize| Side {
                total: totals[place],
                imperial: place == 1,
            };
            let mut dice = FixedRoll {
                defence: Some(DefenceFace::Blank),
                attack: Some(face),
                rest: SeededDice::new(1),
            };
            first(&options.rules(), FirstPlayer::Player, [side(0), side(1)], &mut dice).0
        };
        let points = r#"{"soloInitiativeByPoints": true}"#;
        assert_eq!(by("{}", [100, 40], AttackFace::Hit), FirstPlayer::Player);
        assert_eq!(by(points, [90, 100], AttackFace::Hit), FirstPlayer::Player);
        assert_eq!(by(points, [100, 90], AttackFace::Crit), FirstPlayer::Solo);
        assert_eq!(by(points, [100, 90], AttackFace::Focus), FirstPlayer::Player);
        let old = r#"{"soloInitiativeByPoints": true, "lowerTotalHasInitiative": true}"#;
        assert_eq!(by(old, [100, 90], AttackFace::Blank), FirstPlayer::Solo);
        assert_eq!(by(old, [100, 100], AttackFace::Blank), FirstPlayer::Solo);
    }
}
