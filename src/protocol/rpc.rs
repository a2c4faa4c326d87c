//! The JSON-RPC 2.0 envelope, with the points settled that the standard leaves open: no batches, ids are strings or whole
//! numbers and never null, `params` is an object, a notification is never answered.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::fault::{Fault, FaultKind};

/// Whole numbers up to here survive a trip through a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Longest text of an id, bytes. Ids are kept and sent back, so they are not for data.
pub const LONGEST_ID: usize = 256;

/// Id of a request. Each side numbers its own, so the same id may be open in both directions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Id {
    /// A whole number; `1`, `1.0` and `1E+15` are taken.
    Number(i64),
    /// Any text of at most [`LONGEST_ID`] bytes.
    Text(String),
}

impl Id {
    /// The id in a value, if it is one.
    pub fn from_value(value: &Value) -> Option<Id> {
        match value {
            Value::String(text) => (text.len() <= LONGEST_ID).then(|| Id::Text(text.clone())),
            Value::Number(number) => number.as_i64().map(Id::Number).or_else(|| {
                let float = number.as_f64()?;
                // The bound makes the conversion exact, so that two ids never fall together.
                (float.fract() == 0.0 && float.abs() <= EXACT).then_some(Id::Number(float as i64))
            }),
            _ => None,
        }
    }

    /// The id as it stands on the wire.
    pub fn to_value(&self) -> Value {
        match self {
            Id::Number(number) => Value::from(*number),
            Id::Text(text) => Value::from(text.as_str()),
        }
    }
}

/// A message that is well formed.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// Wants an answer.
    Request {
        /// Its id.
        id: Id,
        /// Method name.
        method: String,
        /// Parameters: an object.
        params: Value,
    },
    /// Wants none.
    Notification {
        /// Method name.
        method: String,
        /// Parameters: an object.
        params: Value,
    },
    /// Answers a request of ours.
    Response {
        /// The request's id; none if the other side could not read it.
        id: Option<Id>,
        /// Result or error.
        outcome: Result<Value, RpcError>,
    },
}

/// The `error` of a response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RpcError {
    /// Code; the list stands in `protocol/README.md`.
    pub code: i32,
    /// For people.
    #[serde(default)]
    pub message: String,
    /// For programs: switch on `kind`, never on `message`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<ErrorData>,
}

/// What a program needs to know of an error.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ErrorData {
    /// Which error, as a word: `staleState`, `role`, ...
    pub kind: String,
    /// What helps: `resync`, `later`, `reconnect`, `never`.
    pub retry: String,
    /// With `version`: what the server speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supported: Option<super::lifecycle::ProtocolRange>,
}

impl From<Fault> for RpcError {
    fn from(fault: Fault) -> Self {
        let supported = (fault.kind == FaultKind::Version).then_some(super::SUPPORTED);
        RpcError {
            code: fault.code,
            message: fault.message,
            data: Some(ErrorData {
                kind: fault.kind.name().to_owned(),
                retry: fault.retry.name().to_owned(),
                supported,
            }),
        }
    }
}

/// A message that cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub struct Malformed {
    /// Its id, where it could be read.
    pub id: Option<Id>,
    /// What is wrong.
    pub fault: Fault,
    /// Whether the sender is owed an answer: a broken notification or response gets none.
    pub answer: bool,
}

impl Malformed {
    fn answered(id: Option<Id>, kind: FaultKind, message: impl Into<String>) -> Self {
        let fault = Fault::new(kind, message);
        Malformed {
            id,
            fault,
            answer: true,
        }
    }

    fn silent(message: &str) -> Self {
        let fault = Fault::new(FaultKind::InvalidRequest, message);
        Malformed {
            id: None,
            fault,
            answer: false,
        }
    }
}

impl Message {
    /// Reads one message.
    ///
    /// # Errors
    /// Text that is no JSON, a batch, or an object that is no JSON-RPC message.
    pub fn parse(text: &str) -> Result<Message, Malformed> {
        let value = serde_json::from_str(text)
            .map_err(|error| Malformed::answered(None, FaultKind::Parse, format!("this is not JSON: {error}")))?;
        Message::from_value(value)
    }

    /// Reads one message that was parsed before, as those in the body of an HTTP call.
    ///
    /// # Errors
    /// A batch, or a value that is no JSON-RPC message.
    pub fn from_value(value: Value) -> Result<Message, Malformed> {
        use FaultKind::InvalidRequest;
        let mut object = match value {
            Value::Object(object) => object,
            Value::Array(_) => {
                return Err(Malformed::answered(
                    None,
                    InvalidRequest,
                    "batch not supported: send one message at a time",
                ));
            }
            _ => return Err(Malformed::answered(None, InvalidRequest, "a message must be an object")),
        };
        if !object.contains_key("method") && (object.contains_key("result") || object.contains_key("error")) {
            return Message::response(object);
        }
        let raw_id = object.remove("id");
        let id = raw_id.as_ref().and_then(Id::from_value);
        if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err(Malformed::answered(id, InvalidRequest, "`jsonrpc` must be \"2.0\""));
        }
        let method = match object.remove("method") {
            Some(Value::String(method)) if !method.is_empty() => method,
            Some(_) => return Err(Malformed::answered(id, InvalidRequest, "`method` must be a name")),
            None => {
                return Err(Malformed::answered(
                    id,
                    InvalidRequest,
                    "neither `method`, `result` nor `error` is there",
                ));
            }
        };
        let params = match object.remove("params") {
            None | Some(Value::Null) => Value::Object(Map::new()),
            // Lua writes an empty table as `[]`.
            Some(Value::Array(items)) if items.is_empty() => Value::Object(Map::new()),
            Some(Value::Object(params)) => Value::Object(params),
            Some(_) => {
                let answer = raw_id.is_some();
                let fault = Fault::new(FaultKind::InvalidParams, "`params` must be an object");
                return Err(Malformed { id, fault, answer });
            }
        };
        match (raw_id, id) {
            (None, _) => Ok(Message::Notification { method, params }),
            (Some(_), Some(id)) => Ok(Message::Request { id, method, params }),
            (Some(_), None) => Err(Malformed::answered(
                None,
                InvalidRequest,
                format!(
                    "`id` must be a string of at most {LONGEST_ID} bytes or a whole number; leave it out of a notification"
                ),
            )),
        }
    }

    fn response(mut object: Map<String, Value>) -> Result<Message, Malformed> {
        let id = match object.get("id") {
            None | Some(Value::Null) => None,
            Some(value) => {
                Some(Id::from_value(value).ok_or_else(|| Malformed::silent("the id of a response is no id"))?)
            }
        };
        let outcome = match (object.remove("result"), object.remove("error")) {
            // Some writers add the other field as null.
            (Some(result), None | Some(Value::Null)) => Ok(result),
            (None | Some(Value::Null), Some(error)) => Err(serde_json::from_value(error)
                .map_err(|_| Malformed::silent("the error of a response must have a whole `code`"))?),
            _ => return Err(Malformed::silent("a response has a result or an error, not both")),
        };
        Ok(Message::Response { id, outcome })
    }

    /// The message as it goes on the wire.
    pub fn to_value(&self) -> Value {
        match self {
            Message::Request { id, method, params } => {
                json!({"jsonrpc": "2.0", "id": id.to_value(), "method": method, "params": params})
            }
            Message::Notification { method, params } => json!({"jsonrpc": "2.0", "method": method, "params": params}),
            Message::Response { id, outcome } => {
                let id = id.as_ref().map_or(Value::Null, Id::to_value);
                match outcome {
                    Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
                    Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<Message, (Option<Id>, i32, bool)>) {
        let got = Message::parse(text).map_err(|malformed| (malformed.id, malformed.fault.code, malformed.answer));
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn ids_are_strings_or_whole_numbers() {
        for (id, expected) in [
            ("1", Some(Id::Number(1))),
            ("1.0", Some(Id::Number(1))),
            ("1E+15", Some(Id::Number(1_000_000_000_000_000))),
            ("-3", Some(Id::Number(-3))),
            ("\"a\"", Some(Id::Text("a".into()))),
            ("1.5", None),
            ("1e300", None),
            ("18446744073709551615", None),
            ("null", None),
            ("true", None),
            ("[1]", None),
            (&format!("\"{}\"", "é".repeat(128)), Some(Id::Text("é".repeat(128)))),
            (&format!("\"{}\"", "x".repeat(257)), None),
        ] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x"}}"#);
            check(
                &text,
                expected.ok_or((None, -32600, true)).map(|id| Message::Request {
                    id,
                    method: "x".into(),
                    params: json!({}),
                }),
            );
        }
    }

    #[test]
    fn what_is_refused_and_whether_it_is_answered() {
        for (text, id, code, answer) in [
            ("", None, -32700, true),
            ("{", None, -32700, true),
            ("\"hello\"", None, -32600, true),
            ("[]", None, -32600, true),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"x"}]"#, None, -32600, true),
            ("{}", None, -32600, true),
            (r#"{"jsonrpc":"1.0","id":4,"method":"x"}"#, Some(4), -32600, true),
            (r#"{"jsonrpc":"2.0","id":4,"method":7}"#, Some(4), -32600, true),
            (
                r#"{"jsonrpc":"2.0","id":4,"method":"x","params":[1]}"#,
                Some(4),
                -32602,
                true,
            ),
            (r#"{"jsonrpc":"2.0","method":"x","params":[1]}"#, None, -32602, false),
            (
                r#"{"jsonrpc":"2.0","id":4,"result":1,"error":{"code":1}}"#,
                None,
                -32600,
                false,
            ),
            (r#"{"jsonrpc":"2.0","id":4,"error":{}}"#, None, -32600, false),
            (r#"{"jsonrpc":"2.0","id":[],"result":1}"#, None, -32600, false),
        ] {
            check(text, Err((id.map(Id::Number), code, answer)));
        }
        let deep = "[".repeat(100_000);
        check(&deep, Err((None, -32700, true)));
    }

    #[test]
    fn every_form_survives_the_wire() {
        let error = RpcError::from(Fault::new(FaultKind::StaleState, "old"));
        for message in [
            Message::Request {
                id: Id::Number(1),
                method: "a/b".into(),
                params: json!({"x": [1, "é"]}),
            },
            Message::Notification {
                method: "$/x".into(),
                params: json!({}),
            },
            Message::Response {
                id: Some(Id::Text("q".into())),
                outcome: Ok(Value::Null),
            },
            Message::Response {
                id: Some(Id::Number(2)),
                outcome: Err(error.clone()),
            },
            Message::Response {
                id: None,
                outcome: Err(error),
            },
        ] {
            assert_eq!(Message::parse(&message.to_value().to_string()), Ok(message));
        }
    }

    #[test]
    fn lua_forms_are_taken() {
        check(
            r#"{"jsonrpc":"2.0","method":"initialized","params":[]}"#,
            Ok(Message::Notification {
                method: "initialized".into(),
                params: json!({}),
            }),
        );
        check(
            r#"{"jsonrpc":"2.0","id":1.0,"result":[]}"#,
            Ok(Message::Response {
                id: Some(Id::Number(1)),
                outcome: Ok(json!([])),
            }),
        );
    }
}
