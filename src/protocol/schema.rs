//! The two generated files that describe the protocol to programs: `protocol/schema.json` (JSON Schema 2020-12 of every
//! wire type) and `protocol/methods.json` (the index of methods, which points into it).

use schemars::{Schema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::http::{Health, PollReply, PollRequest};
use super::methods::METHODS;
use super::rpc::RpcError;
use super::{PROTOCOL_VERSION, SUBPROTOCOL};

/// A generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// File name.
    pub name: &'static str,
    /// Its text.
    pub text: String,
}

/// Both files, as they must stand in `protocol/`.
pub fn generate() -> [Generated; 2] {
    let (schema, methods) = documents();
    [
        Generated {
            name: "schema.json",
            text: pretty(&schema),
        },
        Generated {
            name: "methods.json",
            text: pretty(&methods),
        },
    ]
}

/// Both documents as values: the schema and the index of methods.
pub fn documents() -> (Value, Value) {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let methods: Vec<Value> = METHODS
        .iter()
        .map(|method| {
            let params = method.params(&mut generator);
            let mut entry = json!({
                "method": method.name,
                "messageDirection": method.direction,
                "kind": if method.request { "request" } else { "notification" },
                "roles": method.roles,
                "since": method.since,
                "summary": method.summary,
                "params": reference(params),
            });
            if let Some(result) = method.result(&mut generator) {
                entry["result"] = reference(result);
            }
            entry
        })
        .collect();
    generator.subschema_for::<RpcError>();
    generator.subschema_for::<PollRequest>();
    generator.subschema_for::<PollReply>();
    generator.subschema_for::<Health>();
    let definitions: Map<String, Value> = generator.take_definitions(true);
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Tallyho wire protocol, version {PROTOCOL_VERSION}"),
        "$defs": definitions,
    });
    let index = json!({
        "protocol": PROTOCOL_VERSION,
        "subprotocol": SUBPROTOCOL,
        "methods": methods,
    });
    (schema, index)
}

/// A reference from the index of methods into the schema file beside it.
fn reference(schema: Schema) -> Value {
    let mut value = schema.to_value();
    if let Some(Value::String(target)) = value.get_mut("$ref") {
        target.insert_str(0, "schema.json");
    }
    value
}

fn pretty(value: &Value) -> String {
    // Serialising a value made of strings, numbers, lists and maps cannot fail.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_resolves() {
        let (schema, methods) = documents();
        for method in methods["methods"].as_array().into_iter().flatten() {
            for field in ["params", "result"] {
                if let Some(target) = method[field]["$ref"].as_str() {
                    let pointer = target
                        .strip_prefix("schema.json#")
                        .expect("a reference into schema.json");
                    assert!(schema.pointer(pointer).is_some(), "{target}");
                }
            }
            assert!(method["params"]["$ref"].is_string(), "{method}");
        }
    }
}
