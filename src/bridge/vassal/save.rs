//! Saves (`.vsav`) and logs (`.vlog`): archives with the commands of a game and what is said about it.

use std::{
    io::{self, Cursor, Read, Seek},
    path::Path,
};

use super::{
    Damage,
    archive::{self, Archive},
    command::Command,
    obfuscation::{self, Form},
};

/// The entry with the commands.
const COMMANDS: &str = "savedGame";
/// The entry that describes the save.
const ABOUT_SAVE: &str = "savedata";
/// The entry that describes the module.
pub(super) const ABOUT_MODULE: &str = "moduledata";
/// Most entries of a save; Vassal writes three.
const MOST_ENTRIES: usize = 100;
/// Most bytes of an entry that is only carried along.
const MOST_BYTES_ASIDE: u64 = 4 << 20;

/// A save or a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Save {
    /// What sets the game up; in a log also what happened then.
    pub commands: Command,
    /// The form that the commands had in the file. They are written plain.
    pub form: Form,
    /// What is said about the save and its module.
    pub about: About,
    /// The other entries, in their order, as they are.
    rest: Vec<(String, Vec<u8>)>,
}

/// What a save says about itself. Old ones say nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct About {
    /// The module's name.
    pub module: String,
    /// The module's version.
    pub module_version: String,
    /// The Vassal that wrote it.
    pub vassal_version: String,
    /// A comment of the player.
    pub description: String,
}

impl Save {
    /// A save of these commands for a module.
    pub fn new(commands: Command, about: About) -> Save {
        let save = xml(&[
            ("version", &about.module_version),
            ("VassalVersion", &about.vassal_version),
            ("dateSaved", "0"),
            ("description", &about.description),
        ]);
        let rest = vec![
            (ABOUT_SAVE.to_owned(), save.into_bytes()),
            (ABOUT_MODULE.to_owned(), about_module(&about).into_bytes()),
        ];
        Save {
            commands,
            form: Form::Plain,
            about,
            rest,
        }
    }

    /// Reads a save from a file.
    ///
    /// # Errors
    /// A file that cannot be opened, or what [`Save::read`] refuses.
    pub fn open(path: &Path) -> Result<Save, Damage> {
        Save::read(archive::open_file(path)?).map_err(|damage| damage.within(&path.display().to_string()))
    }

    /// Reads a save.
    ///
    /// # Errors
    /// What is no archive, has no commands in it, or commands that are damaged; with the place.
    pub fn read(source: impl Read + Seek) -> Result<Save, Damage> {
        let mut archive = Archive::open(source)?;
        let names: Vec<String> = archive.names().collect();
        let Some(bytes) = archive.read(COMMANDS)? else {
            let is_module = archive.has(super::module::BUILD_FILE);
            return Err(Damage::at(
                COMMANDS,
                if is_module {
                    "it is not there: this is a module, not a save; save a game in Vassal (File, Save Game)"
                } else {
                    "it is not there: this is no save or log of Vassal"
                },
            ));
        };
        if names.len() > MOST_ENTRIES {
            return Err(Damage::at(
                "the file",
                format!(
                    "it has {} entries, and no save has more than {MOST_ENTRIES}",
                    names.len()
                ),
            ));
        }
        let (text, form) = obfuscation::read(bytes).map_err(|damage| damage.within(COMMANDS))?;
        let commands = Command::read(&text).map_err(|damage| damage.within(COMMANDS))?;
        let mut rest = Vec::new();
        for name in names {
            if name != COMMANDS
                && !name.ends_with('/')
                && let Some(bytes) = archive.read_at_most(&name, MOST_BYTES_ASIDE)?
            {
                rest.push((name, bytes));
            }
        }
        let entry = |name: &str| rest.iter().find(|(own, _)| own == name).map(|(_, bytes)| &**bytes);
        let save = entry(ABOUT_SAVE).map(fields).unwrap_or_default();
        let module = entry(ABOUT_MODULE).map(fields).unwrap_or_default();
        let field = |of: &[(String, String)], name: &str| {
            let found = of.iter().find(|(own, _)| own == name);
            found.map(|(_, text)| text.clone()).unwrap_or_default()
        };
        let about = About {
            module: field(&module, "name"),
            module_version: field(&module, "version"),
            vassal_version: field(&save, "VassalVersion"),
            description: field(&save, "description"),
        };
        Ok(Save {
            commands,
            form,
            about,
            rest,
        })
    }

    /// The save as a file, its commands as plain text.
    ///
    /// # Errors
    /// When it is too large for a zip archive.
    pub fn write(&self) -> io::Result<Vec<u8>> {
        let commands = self.commands.write();
        let first = [(COMMANDS, commands.as_bytes())];
        archive::write(
            first
                .into_iter()
                .chain(self.rest.iter().map(|(name, bytes)| (&**name, &**bytes))),
        )
    }
}

/// What a save or a module says about the module.
pub(super) fn about_module(about: &About) -> String {
    xml(&[
        ("version", &about.module_version),
        ("VassalVersion", &about.vassal_version),
        ("dateSaved", "0"),
        ("description", ""),
        ("name", &about.module),
    ])
}

/// A document of fields as Vassal describes things.
fn xml(fields: &[(&str, &str)]) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<data version=\"1\">\n".to_owned();
    for (name, value) in fields {
        text.push_str(&format!("  <{name}>{}</{name}>\n", super::module::escaped(value)));
    }
    text.push_str("</data>\n");
    text
}

/// The fields of such a document; none where it cannot be read, since nothing depends on them.
fn fields(bytes: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(bytes);
    let Ok(document) = roxmltree::Document::parse(&text) else {
        return Vec::new();
    };
    let elements = document.root_element().children().filter(roxmltree::Node::is_element);
    elements
        .map(|element| {
            (
                element.tag_name().name().to_owned(),
                element.text().unwrap_or_default().to_owned(),
            )
        })
        .collect()
}

/// Whether bytes begin as a zip archive does: a save, a log or a module.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Reads a save from memory.
///
/// # Errors
/// As [`Save::read`].
pub fn from_bytes(bytes: &[u8]) -> Result<Save, Damage> {
    Save::read(Cursor::new(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "begin_save\u{1b}\u{1b}+/1/piece;;;a.png;Vader/Main Map;125;175;7;0\u{1b}Odd\tthing\u{1b}end_save";

    #[test]
    fn a_save_in_each_form_is_read_and_written_plain() {
        for form in [Form::Plain, Form::Hexadecimal { key: 0x7f }, Form::Raw { key: 3 }] {
            let hidden = obfuscation::write(TEXT, form);
            let bytes = archive::write([
                (COMMANDS, &*hidden),
                ("extra", b"kept"),
                (
                    ABOUT_MODULE,
                    b"<data version=\"1\"><name>A &amp; B</name><version>2.1</version></data>",
                ),
            ])
            .unwrap();
            let save = from_bytes(&bytes).unwrap();
            assert_eq!((save.commands.write(), save.form), (TEXT.to_owned(), form));
            assert_eq!((&*save.about.module, &*save.about.module_version), ("A & B", "2.1"));
            let again = from_bytes(&save.write().unwrap()).unwrap();
            assert_eq!(again.form, Form::Plain);
            assert_eq!((again.commands, again.rest), (save.commands, save.rest));
        }
    }

    #[test]
    fn a_new_save_says_what_it_is() {
        let about = About {
            module: "Lab <1>".to_owned(),
            module_version: "0.1".to_owned(),
            vassal_version: "3.5.0".to_owned(),
            description: "a & b".to_owned(),
        };
        let save = Save::new(Command::read(TEXT).unwrap(), about.clone());
        assert_eq!(from_bytes(&save.write().unwrap()).unwrap().about, about);
    }

    #[test]
    fn damage_is_told_with_its_place() {
        type Entries<'a> = &'a [(&'a str, &'a [u8])];
        let cases: [(Entries, &str); 4] = [
            (
                &[("x", b"y")],
                "savedGame: it is not there: this is no save or log of Vassal",
            ),
            (
                &[("buildFile.xml", b"y")],
                "savedGame: it is not there: this is a module, not a save; save a game in Vassal (File, Save Game)",
            ),
            (
                &[(COMMANDS, b"!VCSK00zz")],
                "savedGame, byte 7: no pair of hexadecimal digits stands here",
            ),
            (
                &[(COMMANDS, b"begin_save\x1b+/7/a;\tpiece;;;;/s")],
                "savedGame, command 2, piece 7, state: it has 1 levels where its type has 2: it is cut off",
            ),
        ];
        for (entries, told) in cases {
            let bytes = archive::write(entries.iter().copied()).unwrap();
            assert_eq!(from_bytes(&bytes).unwrap_err().to_string(), told);
        }
        assert!(from_bytes(b"PK nothing").is_err());
    }
}
