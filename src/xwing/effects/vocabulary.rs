//! Lists of words of the language, each with its meaning.

/// Declares an enum of words. The word is what a file writes; its meaning is both the documentation and what the program
/// tells a user.
macro_rules! vocabulary {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($variant:ident = $word:literal: $meaning:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $(#[doc = $meaning] #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// All words of the list, in its order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The word as files write it.
            pub const fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }

            /// What the word means.
            pub const fn means(self) -> &'static str {
                match self {
                    $($name::$variant => $meaning,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

pub(super) use vocabulary;
