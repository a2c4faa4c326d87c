//! Errors that a request is answered with.

/// Why a request was refused. Becomes the `error` of a JSON-RPC response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// Number on the wire; never renumbered.
    pub code: i32,
    /// Which error, for programs.
    pub kind: FaultKind,
    /// What is wrong and what helps, for people.
    pub message: String,
    /// What the client should do about it.
    pub retry: Retry,
}

impl Fault {
    /// A fault of this kind, with the code and the advice that belong to it.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        let (code, _, retry) = kind.facts();
        Fault {
            code,
            kind,
            message: message.into(),
            retry,
        }
    }
}

/// What a client should do about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Send `table/sync`, then ask again.
    Resync,
    /// Ask again later.
    Later,
    /// Begin again with `initialize`.
    Reconnect,
    /// The same request will fail again.
    Never,
}

impl Retry {
    /// The word on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Retry::Resync => "resync",
            Retry::Later => "later",
            Retry::Reconnect => "reconnect",
            Retry::Never => "never",
        }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $code:literal $name:literal $retry:ident;)*) => {
        /// Which error. Codes below zero are JSON-RPC's and LSP's; 1xxx handshake, 2xxx state, 3xxx rules.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum FaultKind { $($(#[$doc])* $variant,)* }

        impl FaultKind {
            /// Every kind.
            pub const ALL: &[FaultKind] = &[$(FaultKind::$variant),*];

            fn facts(self) -> (i32, &'static str, Retry) {
                match self { $(FaultKind::$variant => ($code, $name, Retry::$retry),)* }
            }
        }
    };
}

kinds! {
    /// The text is no JSON.
    Parse = -32700 "parse" Never;
    /// JSON, but no message of this protocol.
    InvalidRequest = -32600 "invalidRequest" Never;
    /// No such method.
    MethodNotFound = -32601 "methodNotFound" Never;
    /// Parameters missing or of the wrong form.
    InvalidParams = -32602 "invalidParams" Never;
    /// A mistake of the server's own.
    Internal = -32603 "internal" Later;
    /// `initialize` must come first.
    NotInitialized = -32002 "notInitialized" Reconnect;
    /// Cancelled by `$/cancelRequest`.
    Cancelled = -32800 "cancelled" Never;
    /// No token, or a wrong one.
    Auth = 1001 "auth" Never;
    /// The role may not do that.
    Role = 1002 "role" Never;
    /// No protocol version in common.
    Version = 1003 "version" Never;
    /// A limit of the server was reached.
    Limit = 1004 "limit" Later;
    /// The request depends on a revision of the table that is not the newest.
    StaleState = 2001 "staleState" Resync;
    /// No such object on the table.
    UnknownObject = 2002 "unknownObject" Resync;
    /// The session is unknown, over or was taken over.
    SessionLost = 2003 "sessionLost" Reconnect;
    /// A plan is being carried out; this must wait until it is over.
    Busy = 2004 "busy" Later;
    /// There is nothing that this could be done to.
    NothingToDo = 2005 "nothingToDo" Never;
    /// No table is attached.
    NoTable = 2006 "noTable" Later;
    /// The rules do not allow it.
    Illegal = 3001 "illegal" Never;
    /// The rules allow it, this version cannot do it.
    NotImplemented = 3002 "notImplemented" Never;
    /// A human has to decide or act first.
    NeedsHuman = 3003 "needsHuman" Later;
}

impl FaultKind {
    /// Number on the wire.
    pub fn code(self) -> i32 {
        self.facts().0
    }

    /// The word on the wire.
    pub fn name(self) -> &'static str {
        self.facts().1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_unique() {
        for (i, a) in FaultKind::ALL.iter().enumerate() {
            for b in &FaultKind::ALL[i + 1..] {
                assert_ne!(a.code(), b.code());
                assert_ne!(a.name(), b.name());
            }
        }
    }
}
