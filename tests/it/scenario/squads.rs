//! The squads of a scenario (SA-13.1), aces, and what cannot be fulfilled.

use expect_test::expect;
use tallyho::xwing::{
    catalog::Catalog,
    scenario::{
        Scenario,
        muster::{self, Wishes},
    },
};

use super::wishes;

#[test]
fn sa_13_aces_fly_by_quick_build_cards() {
    let (scenario, catalog) = (Scenario::intro(), Catalog::embedded());
    for squad in &scenario.squads {
        for ace in squad.aces.values() {
            let cards = catalog.quick_builds().iter();
            let same = cards.filter(|card| card.pilots.len() == 1 && card.pilots[0].is(&ace.pilot, &ace.upgrades));
            assert_eq!(same.count(), 1, "{}: {}", squad.faction, ace.pilot);
        }
    }
    let with = |card: &str, variant: Option<&str>| {
        let wishes = Wishes {
            variant: variant.map(str::to_owned),
            ace: Some(card.to_owned()),
            ..wishes("rebelalliance", "galacticempire")
        };
        muster::muster(scenario, catalog, &wishes)
    };
    let muster = with("soontirfel-2", Some("ace")).unwrap();
    let aces: Vec<_> = muster
        .recruits
        .iter()
        .filter(|recruit| recruit.pilot == "soontirfel")
        .collect();
    assert_eq!(aces.len(), 1);
    assert_eq!(aces[0].ship.id.as_ref(), "reinforcement-1");
    assert!(
        aces[0].upgrades.contains(&"daredevil".to_owned()),
        "{:?}",
        aces[0].upgrades
    );
    // Another ship type, a generic pilot, no such card, no ace in this game.
    let refusals = [
        with("tomaxbren", Some("ace")),
        with("alphasquadronpilot", Some("ace")),
        with("soontirfel-9", Some("ace")),
        with("soontirfel-2", None),
    ];
    let refusals = refusals.map(|refusal| refusal.unwrap_err().to_string());
    for refusal in &refusals[..3] {
        assert!(refusal.contains("soontirfel, soontirfel-2"), "{refusal}");
    }
    assert!(refusals[3].contains("take a variant"), "{}", refusals[3]);
}

/// SA-13.1.
#[test]
fn sa_13_1_squads_are_those_of_the_table() {
    let (scenario, catalog) = (Scenario::intro(), Catalog::embedded());
    assert_eq!(scenario.unknown_to(catalog), Vec::new());
    let mut lines = String::new();
    for squad in &scenario.squads {
        lines += &format!("{}\n", squad.faction);
        for (group, choices) in &squad.ships {
            for choice in choices {
                let wishes = Wishes {
                    take: vec![format!("{group}={}", choice.ship)],
                    variant: Some("transport".into()),
                    ..wishes(&squad.faction, &squad.faction)
                };
                let muster = muster::muster(scenario, catalog, &wishes).unwrap();
                let ships = muster.recruits.iter().filter(|recruit| recruit.group == *group);
                let pilots: Vec<String> = ships
                    .map(|recruit| {
                        assert_eq!(recruit.ship.chassis, choice.ship);
                        assert_eq!(recruit.upgrades, choice.upgrades);
                        format!("{} {}", recruit.ship.initiative, recruit.pilot)
                    })
                    .collect();
                let upgrades: String = choice.upgrades.iter().map(|upgrade| format!(" + {upgrade}")).collect();
                lines += &format!("  {group}: {}{upgrades}: {}\n", choice.ship, pilots.join(", "));
            }
        }
    }
    expect![[r#"
        galacticrepublic
          patrol: v19torrentstarfighter: 2 goldsquadrontrooper, 2 goldsquadrontrooper, 3 bluesquadronprotector, 3 bluesquadronprotector
          player: arc170starfighter: 3 squadsevenveteran, 2 104thbattalionpilot
          player: delta7aethersprite + calibratedlasertargeting: 3 jediknight, 3 jediknight
          reinforcement: btlbywing + protontorpedoes: 3 shadowsquadronveteran, 3 shadowsquadronveteran
          reinforcement: delta7aethersprite + calibratedlasertargeting: 3 jediknight, 3 jediknight
          transport: laatigunship: 2 212thbattalionpilot
        separatistalliance
          patrol: vultureclassdroidfighter: 1 tradefederationdrone, 1 tradefederationdrone, 3 separatistdrone, 3 separatistdrone
          player: belbullab22starfighter: 3 skakoanace, 1 feethanottrawautopilot
          reinforcement: nantexclassstarfighter: 4 petranakiarenaace, 4 petranakiarenaace
          reinforcement: hyenaclassdroidbomber + protontorpedoes: 3 separatistbomber, 3 separatistbomber
          transport: sithinfiltrator: 2 darkcourier
        rebelalliance
          patrol: z95af4headhunter: 1 banditsquadronpilot, 1 banditsquadronpilot, 2 talasquadronpilot, 2 talasquadronpilot
          player: t65xwing: 3 redsquadronveteran, 1 cavernangelszealot
          player: asf01bwing: 3 bladesquadronveteran, 2 bluesquadronpilot
          reinforcement: rz1awing + concussionmissiles: 3 greensquadronpilot, 3 greensquadronpilot
          reinforcement: btla4ywing + protontorpedoes: 3 goldsquadronveteran, 3 goldsquadronveteran
          transport: hwk290lightfreighter: 2 rebelscout
        galacticempire
          patrol: tielnfighter: 1 academypilot, 1 academypilot, 3 blacksquadronace, 3 blacksquadronace
          patrol: tieagaggressor: 2 sienarspecialist, 2 sienarspecialist, 3 onyxsquadronscout, 3 onyxsquadronscout
          player: tieadvancedx1: 3 stormsquadronace, 2 tempestsquadronpilot
          reinforcement: tieininterceptor: 4 sabersquadronace, 4 sabersquadronace
          reinforcement: tiesabomber + protontorpedoes: 3 gammasquadronace, 3 gammasquadronace
          transport: lambdaclasst4ashuttle: 1 omicrongrouppilot
        resistance
          patrol: fireball: 2 colossusstationmechanic, 2 colossusstationmechanic, 2 colossusstationmechanic, 2 colossusstationmechanic
          player: t70xwing: 4 blacksquadronace-t70xwing, 1 bluesquadronrookie
          reinforcement: rz2awing + concussionmissiles: 3 greensquadronexpert, 3 greensquadronexpert
          reinforcement: resistancetransport + protontorpedoes: 1 logisticsdivisionpilot, 1 logisticsdivisionpilot
          transport: resistancetransport: 1 logisticsdivisionpilot
        firstorder
          patrol: tiefofighter: 1 epsilonsquadroncadet, 1 epsilonsquadroncadet, 3 omegasquadronace, 3 omegasquadronace
          player: tiesffighter + specialforcesgunner: 3 omegasquadronexpert, 2 zetasquadronsurvivor
          reinforcement: tiebainterceptor: 3 firstorderprovocateur, 3 firstorderprovocateur
          reinforcement: tiesffighter + concussionmissiles: 3 omegasquadronexpert, 3 omegasquadronexpert
          transport: upsilonclasscommandshuttle: 2 starkillerbasepilot
        scumandvillainy
          patrol: z95af4headhunter: 1 binayrepirate, 1 binayrepirate, 3 blacksunsoldier, 3 blacksunsoldier
          patrol: m3ainterceptor: 1 cartelspacer, 1 cartelspacer, 3 tansariipointveteran, 3 tansariipointveteran
          patrol: modifiedtielnfighter: 1 miningguildsentry, 1 miningguildsentry, 2 miningguildsurveyor, 2 miningguildsurveyor
          player: kihraxzfighter: 3 blacksunace, 2 cartelmarauder
          player: g1astarfighter: 1 gandfindsman, 1 gandfindsman
          reinforcement: fangfighter: 4 skullsquadronpilot, 4 skullsquadronpilot
          reinforcement: btla4ywing + protontorpedoes: 3 amaxinewarrior, 3 amaxinewarrior
          transport: yv666lightfreighter: 2 trandoshanslaver
    "#]].assert_eq(&lines);
}

#[test]
fn requests_that_a_scenario_cannot_fulfil_are_named() {
    let (scenario, catalog) = (Scenario::intro(), Catalog::embedded());
    let base = wishes("rebelalliance", "galacticempire");
    let asked = |change: &dyn Fn(&mut Wishes)| {
        let mut wishes = base.clone();
        change(&mut wishes);
        muster::muster(scenario, catalog, &wishes).unwrap_err().to_string()
    };
    let all = [
        asked(&|wishes| wishes.faction = "rebelallience".into()),
        asked(&|wishes| wishes.player_ships = 9),
        asked(&|wishes| wishes.variant = Some("convoy".into())),
        asked(&|wishes| wishes.take = vec!["t70xwing".into()]),
        asked(&|wishes| {
            wishes.enemy = "resistance".into();
            wishes.variant = Some("ace".into());
            wishes.take = vec!["reinforcement=resistancetransport".into()];
        }),
    ];
    expect![[r#"
        no faction `rebelallience` in this scenario (is `rebelalliance` meant?); it has galacticrepublic, separatistalliance, rebelalliance, galacticempire, resistance, firstorder, scumandvillainy
        9 player ships: give between 1 and 8
        the scenario `intro` has no variant `convoy`; it has ace, transport
        `t70xwing` is no choice of rebelalliance (player) or galacticempire (solo) in this scenario
        resistance has no ace for `resistancetransport`; name a Quick Build card with --ace, or take another ship of the group `reinforcement` with --take"#]].assert_eq(&all.join("\n"));
}
