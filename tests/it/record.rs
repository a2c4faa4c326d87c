//! Records of whole games: played again byte for byte, and read as far as they are whole.

use std::path::Path;

use tallyho::{
    play::begin,
    record::{
        Answered, Beginning, Game, Hand, Header, RecordFile, Start,
        file::{self, Read},
        ships::ShipGame,
    },
    solo_alpha::Options,
    xwing::{
        battle::Answer,
        catalog::Catalog,
        maneuver::{Bearing, Difficulty, Maneuver},
        scenario::Scenario,
    },
};

fn squads(player: &str, solo: &str, hand: Hand, seed: u64) -> Beginning {
    let start = Start::Squads {
        player: player.to_owned(),
        solo: solo.to_owned(),
    };
    Beginning {
        player: hand,
        rounds: Some(12),
        ..Beginning::new(start, Options::default(), seed)
    }
}

fn intro(faction: &str, enemy: &str, seed: u64) -> Beginning {
    let mut start = begin::intro(faction);
    if let Start::Scenario { enemy: of, .. } = &mut start {
        *of = enemy.to_owned();
    }
    Beginning {
        player: Hand::Scripted,
        ..Beginning::new(start, Options::default(), seed)
    }
}

fn written(path: &Path, game: &Game) {
    let mut record = RecordFile::create(path, game.header()).unwrap();
    for answered in game.answers() {
        record.choice(answered).unwrap();
    }
}

#[test]
fn a_whole_game_is_played_again_from_its_record_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let mut beginnings = vec![
        squads("2*t65xwing", "4*tielnfighter", Hand::Scripted, 1),
        squads(
            "btla4ywing+protontorpedoes,t65xwing/lukeskywalker",
            "tiesabomber+concussionmissiles,tieadvancedx1/darthvader",
            Hand::Scripted,
            2,
        ),
        squads("modifiedyt1300lightfreighter", "vt49decimator", Hand::Solo, 3),
        squads("2*asf01bwing", "lambdaclasst4ashuttle,tiephphantom", Hand::Scripted, 4),
    ];
    for (seed, squad) in (5..).zip(&Scenario::intro().squads) {
        let enemy = match squad.faction.as_str() {
            "galacticempire" => "rebelalliance",
            _ => "galacticempire",
        };
        beginnings.push(intro(&squad.faction, enemy, seed));
        beginnings.push(intro(enemy, &squad.faction, seed + 100));
    }
    for (index, beginning) in beginnings.into_iter().enumerate() {
        let title = beginning.title();
        let game = Game::simulated(beginning, Catalog::embedded()).unwrap();
        assert!(game.battle().pending().is_none(), "{title}: the game has an end");
        let path = folder.path().join(format!("{index}.jsonl"));
        written(&path, &game);
        let Read {
            header,
            answers,
            damage,
        } = file::read::<ShipGame>(&path).unwrap();
        assert_eq!(
            (&header, &*answers, damage),
            (game.header(), game.answers(), None),
            "{title}"
        );
        let (again, astray) = Game::resume(header, &answers, Catalog::embedded()).unwrap();
        assert_eq!(astray, [], "{title}");
        assert_eq!(again.battle().events(), game.battle().events(), "{title}");
        let copy = folder.path().join("copy.jsonl");
        let _ = std::fs::remove_file(&copy);
        written(&copy, &again);
        assert_eq!(std::fs::read(&copy).unwrap(), std::fs::read(&path).unwrap(), "{title}");
        let explained = answers.iter().filter(|answered| answered.by == Hand::Solo);
        assert!(explained.clone().count() > 0, "{title}");
        for answered in explained {
            assert!(!answered.explanation.sentence.is_empty(), "{title}: {answered:?}");
        }
    }
}

#[test]
fn a_record_that_was_changed_is_told_from_what_this_program_does() {
    let game = Game::simulated(
        squads("t65xwing", "2*tielnfighter", Hand::Scripted, 9),
        Catalog::embedded(),
    )
    .unwrap();
    let header = game.header().clone();
    let solo = game
        .answers()
        .iter()
        .position(|answered| answered.by == Hand::Solo)
        .unwrap();
    let changed = |change: &dyn Fn(&mut Answered)| {
        let mut answers = game.answers().to_vec();
        change(&mut answers[solo]);
        Game::resume(header.clone(), &answers, Catalog::embedded()).unwrap()
    };
    let (_, astray) = changed(&|answered| answered.explanation.sentence.push('!'));
    assert_eq!(astray.len(), 1);
    assert!(astray[0].to_string().contains("other reasons"), "{}", astray[0]);
    assert!(!astray[0].ends);
    let (_, astray) = changed(&|answered| answered.digest = "0".to_owned());
    assert!(
        astray[0].to_string().contains("something else comes of it"),
        "{}",
        astray[0]
    );
    let stay = Maneuver {
        speed: 0,
        bearing: Bearing::Stationary,
        difficulty: Difficulty::Red,
    };
    let (again, astray) = changed(&|answered| answered.choice = Answer::Dial(stay).into());
    assert!(astray.last().unwrap().ends, "{astray:?}");
    assert_eq!(again.answers().len(), solo, "up to there it is played");
}

fn short_record(path: &Path) -> Vec<Answered> {
    let game = Game::simulated(
        squads("t65xwing", "tielnfighter", Hand::Scripted, 3),
        Catalog::embedded(),
    )
    .unwrap();
    let answers = game.answers()[..5].to_vec();
    let mut record = RecordFile::create(path, game.header()).unwrap();
    for answered in &answers[..3] {
        record.choice(answered).unwrap();
    }
    record.undone(3).unwrap();
    for answered in &answers[2..] {
        record.choice(answered).unwrap();
    }
    answers
}

/// The choices that count after so many whole lines of [`short_record`].
fn after_lines(answers: &[Answered], lines: usize) -> &[Answered] {
    let count = match lines {
        0 | 1 => 0,
        2..=4 => lines - 1,
        5 => 2,
        _ => lines - 3,
    };
    &answers[..count]
}

#[test]
fn a_record_cut_at_any_byte_opens_with_everything_that_was_accepted_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let answers = short_record(&path);
    let bytes = std::fs::read(&path).unwrap();
    let header_end = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for length in 0..=bytes.len() {
        let cut = &bytes[..length];
        let lines = cut.iter().filter(|&&byte| byte == b'\n').count();
        match file::parse::<ShipGame>(&path, cut) {
            Ok(read) => {
                assert_eq!(read.answers, after_lines(&answers, lines), "{length} bytes");
                assert_eq!(read.damage.is_some(), cut.last() != Some(&b'\n'), "{length} bytes");
            }
            Err(error) => {
                assert!(length < header_end, "{length} bytes: {error}");
                assert!(error.to_string().contains("no record"), "{error}");
            }
        }
    }
}

#[test]
fn a_bit_flipped_anywhere_loses_nothing_before_it_and_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let answers = short_record(&path);
    let bytes = std::fs::read(&path).unwrap();
    let header_end = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    // Every byte of the last line and of what separates lines, every third of the rest.
    let last = bytes[..bytes.len() - 1]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .unwrap();
    for at in (0..bytes.len()).filter(|&at| at >= last || bytes[at] == b'\n' || at % 3 == 0) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let lines = bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
        match file::parse::<ShipGame>(&path, &damaged) {
            Ok(read) if at >= header_end => {
                assert_eq!(read.answers, after_lines(&answers, lines), "byte {at}");
                let damage = read.damage.unwrap().to_string();
                assert!(damage.contains(&format!("line {}", lines + 1)), "byte {at}: {damage}");
            }
            Ok(read) => assert!(read.answers.is_empty() && read.damage.is_some(), "byte {at}"),
            Err(error) => assert!(at < header_end, "byte {at}: {error}"),
        }
    }
}

#[test]
fn a_damaged_record_is_gone_on_with_and_what_was_cut_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let answers = short_record(&path);
    let mut bytes = std::fs::read(&path).unwrap();
    let lines: Vec<usize> = (bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n'))
        .map(|(at, _)| at)
        .collect();
    bytes[lines[6] + 30] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let (mut record, read) = RecordFile::open(&path).unwrap();
    assert_eq!(read.answers, after_lines(&answers, 7));
    let kept = read.damage.unwrap().kept.unwrap();
    assert_eq!(std::fs::read(kept).unwrap(), bytes[lines[6] + 1..]);
    record.choice(&answers[4]).unwrap();
    let read = file::read::<ShipGame>(&path).unwrap();
    assert_eq!((&*read.answers, read.damage), (&answers[..5], None));
    let (game, astray) = Game::resume(read.header, &read.answers, Catalog::embedded()).unwrap();
    assert_eq!((game.answers().len(), astray), (5, Vec::new()));
}

#[test]
fn what_is_no_record_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    for text in [
        "",
        "dear diary\n",
        "{\"entry\":\"undone\",\"from\":1}\n",
        "{\"entry\":\"game\"}\n",
    ] {
        std::fs::write(&path, text).unwrap();
        assert!(!text.contains("game") || file::is_record(&path));
        assert!(RecordFile::open(&path).is_err(), "{text}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    let game = squads("t65xwing", "tielnfighter", Hand::Human, 1);
    let mut header = Header::new(game, Catalog::embedded(), false);
    std::fs::write(&path, "mine").unwrap();
    let refused = RecordFile::create(&path, &header).unwrap_err().to_string();
    assert!(refused.contains("is there already"), "{refused}");
    header.format = 99;
    let newer = folder.path().join("newer.jsonl");
    RecordFile::create(&newer, &header).unwrap();
    let refused = file::read::<ShipGame>(&newer).unwrap_err().to_string();
    assert!(refused.contains("newer version"), "{refused}");
}
