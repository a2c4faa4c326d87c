//! `tallyho catalog`: facts about ships, pilots and upgrades.

use std::{
    borrow::Cow,
    io::{self, Write},
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};

use super::{GlobalOptions, files::Files};
use crate::xwing::{
    catalog::{Catalog, import},
    effects::book::read_file,
    obstacle_outlines::ObstacleOutlines,
};

mod show;

/// Arguments of `tallyho catalog`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Read a data checkout and write the fact table: xwing-data2, or xwing-data of the first edition
    ///
    /// Which of them it is shows in its files. Whatever cannot be read is a warning that names file and field; the rest is read all the same.
    Import {
        /// The checkout, or its `data` folder
        dir: PathBuf,
        /// Where to write the table; standard output if not given
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Show the facts of a ship, a pilot or an upgrade
    Show {
        /// Its xws id or its name, in any spelling
        #[arg(required = true)]
        name: Vec<String>,
    },
    /// List all ships, or with --pilots all pilots
    List {
        /// List pilots in place of ships
        #[arg(long)]
        pilots: bool,
    },
}

/// Runs `tallyho catalog`.
///
/// # Errors
/// When the catalog cannot be read, the name is not known, or the output cannot be written.
pub fn run(arguments: Args, global: &GlobalOptions) -> anyhow::Result<()> {
    global.log_to_stderr();
    match arguments.command {
        Command::Import { dir, out } => {
            Files::of(global).writes("--out", out.as_deref()).check()?;
            import_checkout(&dir, out.as_deref())
        }
        Command::Show { name } => show::show(&*global.load_catalog()?, &name.join(" "), &mut io::stdout().lock()),
        Command::List { pilots } => show::list(&*global.load_catalog()?, pilots, &mut io::stdout().lock()),
    }
}

impl GlobalOptions {
    /// The catalog that `--catalog` names, or the built-in one of `--edition`, with the outlines of
    /// `--obstacles` and the cards of `--card-file`. Warnings of an import go to stderr.
    ///
    /// # Errors
    /// When what `--catalog`, `--obstacles` or `--card-file` names cannot be read, the catalog's edition is not the one
    /// that `--edition` names or the game was begun in, or a card of `--value` has no open value.
    pub fn load_catalog(&self) -> anyhow::Result<Cow<'static, Catalog>> {
        let catalog = match &self.catalog {
            None => Cow::Borrowed(Catalog::embedded_for(self.edition.unwrap_or_default())),
            Some(path) => {
                let (catalog, warnings) =
                    Catalog::load(path).with_context(|| format!("--catalog {} cannot be used", path.display()))?;
                report(&warnings);
                if let Some(edition) = self.edition.filter(|edition| *edition != catalog.edition()) {
                    let (other, wanted) = (catalog.edition().name(), edition.name());
                    anyhow::bail!(
                        "--catalog {} has cards of the {other} edition, and --edition asks for the {wanted}; leave one of the \
                         two out",
                        path.display()
                    );
                }
                Cow::Owned(catalog)
            }
        };
        let catalog = match &self.obstacles {
            None => catalog,
            Some(path) => {
                let outlines = ObstacleOutlines::load(path)
                    .with_context(|| format!("--obstacles {} cannot be used", path.display()))?;
                Cow::Owned(catalog.into_owned().with_outlines(outlines))
            }
        };
        let catalog = match self.first_edition_options(&catalog)? {
            None => catalog,
            Some(options) => Cow::Owned(catalog.into_owned().with_rules(options.rules())),
        };
        if let (Some(path), Some(edition)) = (&self.catalog, self.begun.edition)
            && edition != catalog.edition()
        {
            anyhow::bail!(
                "the game is of the {} edition, and --catalog {} has cards of the {}; leave it out, or give one of that edition",
                edition.name(),
                path.display(),
                catalog.edition().name()
            );
        }
        // FE-SOLO-9
        let values = self.attack_values();
        let catalog = match values.is_empty() {
            true => catalog,
            false => Cow::Owned(catalog.into_owned().with_attack_values(&values).context("--value")?),
        };
        let Some(path) = &self.card_file else {
            return Ok(catalog);
        };
        let file = path.display().to_string();
        let (cards, own) = crate::text_file::read(path)
            .map_err(anyhow::Error::from)
            .and_then(|text| Ok((catalog.cards().with_file(&file, &text)?, read_file(&file, &text)?)))
            .with_context(|| format!("--card-file {file} cannot be used"))?;
        for advice in catalog.advice(&own) {
            crate::cli::console::tell!("warning: {file}, {advice}");
        }
        Ok(Cow::Owned(catalog.into_owned().with_cards(cards)))
    }
}

fn report(warnings: &[import::Warning]) {
    for warning in warnings {
        crate::cli::console::tell!("warning: {warning}");
    }
    match warnings.len() {
        0 => {}
        1 => crate::cli::console::tell!("1 warning"),
        count => crate::cli::console::tell!("{count} warnings"),
    }
}

/// A read that takes longer than this gets a progress bar.
const PATIENCE: Duration = Duration::from_millis(500);

fn import_checkout(dir: &std::path::Path, out: Option<&std::path::Path>) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    let import = import::read(dir, &mut |done, total| {
        if start.elapsed() >= PATIENCE {
            let bar = bar.get_or_insert_with(|| {
                let style = ProgressStyle::with_template("reading {bar:40} {pos}/{len} files");
                ProgressBar::new(total as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            });
            bar.set_position(done as u64);
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let import = import?;
    let mut text = Vec::new();
    import.catalog.write_json(&mut text)?;
    match out {
        Some(path) => replace_file(path, &text).with_context(|| format!("cannot write {}", path.display()))?,
        None => io::stdout().lock().write_all(&text)?,
    }
    report(&import.warnings);
    let catalog = &import.catalog;
    crate::cli::console::tell!(
        "{} ships, {} pilots, {} upgrades, {} Quick Build cards",
        catalog.ships().len(),
        catalog.pilots().len(),
        catalog.upgrades().len(),
        catalog.quick_builds().len()
    );
    Ok(())
}

/// Writes beside the file first, so that a full disk leaves the old one as it was. What is no plain file (a device, a
/// pipe) is written to as it is, and a link stays a link.
fn replace_file(path: &std::path::Path, text: &[u8]) -> io::Result<()> {
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if target.exists() && !target.is_file() {
        return std::fs::write(target, text);
    }
    let mut part = target.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, &target));
    if written.is_err() {
        // What was written of it is of no use; if it cannot be removed either, the error at hand says enough.
        let _ = std::fs::remove_file(&part);
    }
    written
}
