//! The two secrets: the table token moves pieces, the viewer token only watches. Who holds which decides the role.

use std::fmt;
use std::io;
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use rand::TryRng;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::private_file::{in_file, tighten, write_private};
use crate::protocol::lifecycle::Role;

/// Shortest token taken from a file: 32 hex digits are 128 bits.
const MIN_LENGTH: usize = 32;

/// A secret. It never shows in logs or debug output.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// 256 new bits from the operating system, in hex.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn random() -> io::Result<Secret> {
        random_hex(32).map(Secret)
    }

    /// The text itself, to be handed to a client.
    pub fn expose(&self) -> &str {
        &self.0
    }

    fn is(&self, other: &str) -> bool {
        self.0.as_bytes().ct_eq(other.as_bytes()).into()
    }

    /// HMAC-SHA256 of a nonce under this secret, in hex: shows that one knows it without telling it.
    pub fn proof(&self, nonce: &str) -> String {
        // HMAC takes keys of any length.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.0.as_bytes()) else {
            return String::new();
        };
        mac.update(nonce.as_bytes());
        hex(&mac.finalize().into_bytes())
    }

    /// Whether `proof` is the proof for `nonce`, found in constant time.
    pub fn proves(&self, nonce: &str, proof: &str) -> bool {
        let own = self.proof(nonce);
        !own.is_empty() && own.as_bytes().ct_eq(proof.as_bytes()).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(...)")
    }
}

/// `count` random bytes from the operating system, in hex.
///
/// # Errors
/// The system gives no random bytes.
pub fn random_hex(count: usize) -> io::Result<String> {
    let mut bytes = vec![0; count];
    rand::rngs::SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| io::Error::other(format!("no random bytes from the system: {error}")))?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a token allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grant {
    /// Any role.
    Table,
    /// Watching only.
    Viewer,
}

impl Grant {
    /// The role that a claim gets: the grant decides, the claim only narrows it.
    pub fn role(self, claim: Role) -> Role {
        match self {
            Grant::Table => claim,
            Grant::Viewer => Role::Viewer,
        }
    }
}

/// Both secrets.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Tokens {
    /// Moves pieces.
    pub table: Secret,
    /// Watches.
    pub viewer: Secret,
}

impl Tokens {
    /// Two new ones.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn random() -> io::Result<Tokens> {
        Ok(Tokens {
            table: Secret::random()?,
            viewer: Secret::random()?,
        })
    }

    /// What a presented token allows. Takes the same time for every wrong one.
    pub fn grant(&self, presented: &str) -> Option<Grant> {
        let (table, viewer) = (self.table.is(presented), self.viewer.is(presented));
        if table {
            Some(Grant::Table)
        } else {
            viewer.then_some(Grant::Viewer)
        }
    }

    /// Reads the tokens from a file, or makes new ones and writes them there, readable by the owner alone. The tokens are
    /// kept between runs because a table that cannot read files has them built into its saved object.
    ///
    /// # Errors
    /// The file cannot be read or written, or does not hold two different tokens of at least 32 characters.
    pub fn load_or_create(path: &Path) -> io::Result<Tokens> {
        let text = match crate::text_file::read(path) {
            Ok(text) => {
                tighten(path, 0o600);
                text
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let tokens = Tokens::random()?;
                write_private(path, &serde_json::to_string(&tokens)?)?;
                return Ok(tokens);
            }
            Err(error) => return Err(in_file(path, error)),
        };
        let wrong = |what: String| in_file(path, io::Error::new(io::ErrorKind::InvalidData, what));
        let tokens: Tokens = serde_json::from_str(&text).map_err(|error| {
            wrong(format!(
                "expected {{\"table\":\"...\",\"viewer\":\"...\"}} ({error}); delete the file for new tokens"
            ))
        })?;
        let short = |secret: &Secret| secret.0.len() < MIN_LENGTH || !secret.0.is_ascii();
        if short(&tokens.table) || short(&tokens.viewer) || tokens.table.0 == tokens.viewer.0 {
            return Err(wrong(format!(
                "the tokens must be two different ASCII texts of at least {MIN_LENGTH} characters; delete the file for new ones"
            )));
        }
        Ok(tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_decides_and_the_claim_narrows() {
        let tokens = Tokens::random().unwrap();
        assert_eq!(tokens.grant(tokens.table.expose()), Some(Grant::Table));
        assert_eq!(tokens.grant(tokens.viewer.expose()), Some(Grant::Viewer));
        assert_eq!(tokens.grant(""), None);
        assert_eq!(tokens.grant(&tokens.table.expose()[1..]), None);
        assert_eq!(tokens.table.expose().len(), 64);
        for role in [Role::Table, Role::Viewer, Role::Cli] {
            assert_eq!(Grant::Table.role(role), role);
            assert_eq!(Grant::Viewer.role(role), Role::Viewer);
        }
    }

    #[test]
    fn secrets_do_not_show_and_prove_themselves() {
        let secret = Secret("0123456789abcdef0123456789abcdef".into());
        assert!(!format!("{secret:?}").contains("0123"));
        // RFC 4231, test case 2.
        assert_eq!(
            Secret("Jefe".into()).proof("what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        assert!(secret.proves("n", &secret.proof("n")));
        assert!(!secret.proves("n", &secret.proof("m")));
        assert!(!secret.proves("n", ""));
    }

    #[test]
    fn tokens_are_kept_in_a_private_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/tokens.json");
        let first = Tokens::load_or_create(&path).unwrap();
        let second = Tokens::load_or_create(&path).unwrap();
        assert_eq!(first.table.expose(), second.table.expose());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = || std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(), 0o600);
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
            Tokens::load_or_create(&path).unwrap();
            assert_eq!(mode(), 0o600, "a wider one is tightened");
        }
        for bad in ["", "{}", r#"{"table":"a","viewer":"b"}"#] {
            std::fs::write(&path, bad).unwrap();
            let error = Tokens::load_or_create(&path).unwrap_err().to_string();
            assert!(
                error.contains("tokens.json") && error.contains("delete the file"),
                "{error}"
            );
        }
        let same = "x".repeat(64);
        std::fs::write(&path, format!(r#"{{"table":"{same}","viewer":"{same}"}}"#)).unwrap();
        assert!(Tokens::load_or_create(&path).is_err());
    }
}
