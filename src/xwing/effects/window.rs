//! The moments at which effects come up, and what the card's ship is in them.

use serde::{Deserialize, Serialize};

use super::{one_or_many::OneOrMany, vocabulary::vocabulary};

vocabulary! {
    /// A moment of the game at which effects come up. The list is in the order of a round.
    pub enum Window {
        SquadBuilding = "squad_building": "before the game, when the squad is built",
        Setup = "setup": "a step of set-up",
        RoundStart = "round_start": "at the start of the round or of the Planning Phase",
        SystemPhase = "system_phase": "in the System Phase, at the ship's initiative",
        ActivationPhaseStart = "activation_phase_start": "at the start of the Activation Phase",
        BeforeActivate = "before_activate": "before the ship activates",
        BeforeReveal = "before_reveal": "the ship activates, its dial is not yet revealed",
        AfterReveal = "after_reveal": "after the dial is revealed, before the maneuver",
        BeforeManeuver = "before_maneuver": "before the maneuver is executed, after what follows the reveal",
        WhileManeuver = "while_maneuver": "as the maneuver is executed",
        AfterManeuver = "after_maneuver": "after the maneuver is executed",
        PerformActionStep = "perform_action_step": "in the Perform Action step",
        ActionHeader = "action_header": "an action that the card adds",
        WhileAction = "while_action": "as an action is carried out",
        AfterAction = "after_action": "after an action is performed",
        ActionFailed = "action_failed": "after an action fails",
        AfterActivate = "after_activate": "after the ship's whole activation",
        ActivationPhaseEnd = "activation_phase_end": "at the end of the Activation Phase",
        EngagementStart = "engagement_start": "at the start of the Engagement Phase",
        BeforeEngage = "before_engage": "before the ship engages",
        EngagementInitiative = "engagement_initiative": "in the Engagement Phase at a named initiative",
        AfterEngage = "after_engage": "after the ship engages",
        EngagementEnd = "engagement_end": "at the end of the Engagement Phase",
        EndPhaseStart = "end_phase_start": "at the start of the End Phase",
        EndPhase = "end_phase": "in the End Phase, before or instead of its removals",
        EndPhaseEnd = "end_phase_end": "at the end of the End Phase",
        GameEnd = "game_end": "after the game",
        Weapon = "weapon": "the card is a special weapon",
        AttackDeclare = "attack_declare": "as the target is declared: which weapon, arc, range, defender",
        AttackDeclared = "attack_declared": "the defender is declared, no dice are rolled yet",
        AttackRoll = "attack_roll": "the number of attack dice is counted",
        AttackRolled = "attack_rolled": "attack dice are rolled, nothing is modified yet",
        AttackModify = "attack_modify": "attack dice are modified",
        AttackModified = "attack_modified": "after attack dice were modified",
        DefenseRoll = "defense_roll": "the number of defence dice is counted",
        DefenseRolled = "defense_rolled": "defence dice are rolled, nothing is modified yet",
        DefenseModify = "defense_modify": "defence dice are modified",
        DefenseModified = "defense_modified": "after defence dice were modified",
        BeforeNeutralize = "before_neutralize": "before results are neutralized",
        Neutralize = "neutralize": "results are neutralized",
        AfterNeutralize = "after_neutralize": "after results are neutralized, before damage",
        AttackDamage = "attack_damage": "an attack that hit deals damage, or what it does instead",
        Aftermath = "aftermath": "after the attack",
        TokenWouldBeGained = "token_would_be_gained": "before a token is gained",
        TokenGained = "token_gained": "after a token is gained",
        TokenRemoved = "token_removed": "as or after a token is removed",
        ResourceSpent = "resource_spent": "after a token, a lock, a charge or Force is spent",
        LockAcquired = "lock_acquired": "after a lock is acquired",
        DamageWould = "damage_would": "before damage is suffered or a damage card is dealt",
        DamageSuffered = "damage_suffered": "after damage, a lost shield or a dealt card",
        DamageCardEvent = "damage_card_event": "a damage card is dealt faceup, exposed or repaired",
        WouldBeRemoved = "would_be_removed": "before a ship is destroyed or flees",
        ShipDestroyed = "ship_destroyed": "after a ship is destroyed, before it is removed",
        DevicePlacing = "device_placing": "as a device is dropped or launched",
        DevicePlaced = "device_placed": "after a device is dropped, launched or placed",
        DeviceDetonates = "device_detonates": "a device detonates, moves or is touched",
        RepositionEvent = "reposition_event": "a boost, barrel roll, decloak or sideslip, as an action or not",
        DockDeploy = "dock_deploy": "a ship docks or deploys",
        Passive = "passive": "all the time",
    }
}

vocabulary! {
    /// The parts of a game that windows belong to.
    pub enum WindowGroup {
        Setup = "setup": "before and after the game",
        Phase = "phase": "phases of a round",
        Activation = "activation": "the activation of a ship",
        Engagement = "engagement": "the engagement of a ship",
        Attack = "attack": "the steps of an attack",
        Event = "event": "something that happens to a ship or a device",
        Passive = "passive": "constant effects",
    }
}

impl Window {
    /// The part of the game it belongs to.
    pub const fn group(self) -> WindowGroup {
        use Window as W;
        match self {
            W::SquadBuilding | W::Setup | W::GameEnd => WindowGroup::Setup,
            W::RoundStart
            | W::SystemPhase
            | W::ActivationPhaseStart
            | W::ActivationPhaseEnd
            | W::EngagementStart
            | W::EngagementEnd
            | W::EndPhaseStart
            | W::EndPhase
            | W::EndPhaseEnd => WindowGroup::Phase,
            W::BeforeActivate
            | W::BeforeReveal
            | W::AfterReveal
            | W::BeforeManeuver
            | W::WhileManeuver
            | W::AfterManeuver
            | W::PerformActionStep
            | W::ActionHeader
            | W::WhileAction
            | W::AfterAction
            | W::ActionFailed
            | W::AfterActivate => WindowGroup::Activation,
            W::BeforeEngage | W::EngagementInitiative | W::AfterEngage => WindowGroup::Engagement,
            W::Weapon
            | W::AttackDeclare
            | W::AttackDeclared
            | W::AttackRoll
            | W::AttackRolled
            | W::AttackModify
            | W::AttackModified
            | W::DefenseRoll
            | W::DefenseRolled
            | W::DefenseModify
            | W::DefenseModified
            | W::BeforeNeutralize
            | W::Neutralize
            | W::AfterNeutralize
            | W::AttackDamage
            | W::Aftermath => WindowGroup::Attack,
            W::TokenWouldBeGained
            | W::TokenGained
            | W::TokenRemoved
            | W::ResourceSpent
            | W::LockAcquired
            | W::DamageWould
            | W::DamageSuffered
            | W::DamageCardEvent
            | W::WouldBeRemoved
            | W::ShipDestroyed
            | W::DevicePlacing
            | W::DevicePlaced
            | W::DeviceDetonates
            | W::RepositionEvent
            | W::DockDeploy => WindowGroup::Event,
            W::Passive => WindowGroup::Passive,
        }
    }

    /// Whether the window belongs to the attack dice rather than to the defence dice. `None` for windows of neither.
    pub const fn dice(self) -> Option<AttackSide> {
        match self {
            Window::AttackRoll | Window::AttackRolled | Window::AttackModify | Window::AttackModified => {
                Some(AttackSide::Attacker)
            }
            Window::DefenseRoll | Window::DefenseRolled | Window::DefenseModify | Window::DefenseModified => {
                Some(AttackSide::Defender)
            }
            _ => None,
        }
    }
}

/// Whose dice a window is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttackSide {
    /// The attacker's.
    Attacker,
    /// The defender's.
    Defender,
}

vocabulary! {
    /// What the card's ship is in a window; it also says who the *subject* of the effect is.
    pub enum Role {
        Own = "self": "the card's own ship acts, or it happens to it",
        Attacker = "attacker": "the own ship attacks",
        Defender = "defender": "the own ship defends",
        AttackerOrDefender = "attacker_or_defender": "the own ship attacks or defends, with its own dice",
        FriendAttacks = "friend_attacks": "a friendly ship attacks",
        FriendDefends = "friend_defends": "a friendly ship defends",
        FriendAttacksOrDefends = "friend_attacks_or_defends": "a friendly ship attacks or defends, with its own dice",
        EnemyAttacks = "enemy_attacks": "an enemy ship attacks",
        EnemyDefends = "enemy_defends": "an enemy ship defends",
        EnemyAttacksOrDefends = "enemy_attacks_or_defends": "an enemy ship attacks or defends, with its own dice",
        Friend = "friend": "it happens to a friendly ship",
        Enemy = "enemy": "it happens to an enemy ship",
        AnyShip = "any_ship": "it happens to any ship",
        Device = "device": "it happens to a device of the card",
    }
}

impl Role {
    /// The plain roles that a double role stands for in a window. In a window of dice the ship is the one whose dice they
    /// are; elsewhere in an attack it may be either.
    pub fn parts(self, window: Window) -> &'static [Role] {
        match (self, window.dice()) {
            (Role::AttackerOrDefender, None) => &[Role::Attacker, Role::Defender],
            (Role::AttackerOrDefender, Some(AttackSide::Attacker)) => &[Role::Attacker],
            (Role::AttackerOrDefender, Some(AttackSide::Defender)) => &[Role::Defender],
            (Role::FriendAttacksOrDefends, None) => &[Role::FriendAttacks, Role::FriendDefends],
            (Role::FriendAttacksOrDefends, Some(AttackSide::Attacker)) => &[Role::FriendAttacks],
            (Role::FriendAttacksOrDefends, Some(AttackSide::Defender)) => &[Role::FriendDefends],
            (Role::EnemyAttacksOrDefends, None) => &[Role::EnemyAttacks, Role::EnemyDefends],
            (Role::EnemyAttacksOrDefends, Some(AttackSide::Attacker)) => &[Role::EnemyAttacks],
            (Role::EnemyAttacksOrDefends, Some(AttackSide::Defender)) => &[Role::EnemyDefends],
            (Role::Own, _) => &[Role::Own],
            (Role::Attacker, _) => &[Role::Attacker],
            (Role::Defender, _) => &[Role::Defender],
            (Role::FriendAttacks, _) => &[Role::FriendAttacks],
            (Role::FriendDefends, _) => &[Role::FriendDefends],
            (Role::EnemyAttacks, _) => &[Role::EnemyAttacks],
            (Role::EnemyDefends, _) => &[Role::EnemyDefends],
            (Role::Friend, _) => &[Role::Friend],
            (Role::Enemy, _) => &[Role::Enemy],
            (Role::AnyShip, _) => &[Role::AnyShip],
            (Role::Device, _) => &[Role::Device],
        }
    }
}

/// When an effect comes up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trigger {
    /// The moment, or several.
    pub window: OneOrMany<Window>,
    /// What the ship is in it.
    pub role: Role,
    /// For the roles of friends: the own ship is not meant.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub other: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_double_role_is_the_ship_whose_dice_they_are() {
        let both = Role::AttackerOrDefender;
        assert_eq!(both.parts(Window::AttackModify), [Role::Attacker]);
        assert_eq!(both.parts(Window::DefenseModify), [Role::Defender]);
        assert_eq!(both.parts(Window::Aftermath), [Role::Attacker, Role::Defender]);
        for &role in Role::ALL {
            for &window in Window::ALL {
                let parts = role.parts(window);
                assert!(
                    !parts.is_empty() && parts.iter().all(|part| part.parts(window) == [*part]),
                    "{role} {window}"
                );
            }
        }
    }
}
