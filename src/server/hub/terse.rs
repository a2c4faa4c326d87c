//! Messages for clients with a poor JSON reader: short texts, no null, and of the escapes in texts only `\"` and `\n`. Ids
//! come back as they were sent, so one that would need another escape is refused ([`refused_id`]).

use serde_json::Value;

use crate::protocol::{
    fault::{Fault, FaultKind},
    rpc::{Id, Malformed, Message},
};

/// Fields whose text the other side compares with what it sent.
const SENT_BACK: [&str; 2] = ["id", "progressToken"];

/// Longest texts that are tried, one after the other, until a message is short enough.
const TEXT_LENGTHS: [usize; 6] = [800, 400, 200, 120, 80, 60];

/// Leaves the lists of reasons out of an answer or event.
pub(super) fn drop_reasons(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.remove("reasons");
            object.values_mut().for_each(drop_reasons);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_reasons),
        _ => {}
    }
}

/// Refuses a request whose id or progress token could not be sent back without an escape that a poor reader takes for
/// something else.
pub(super) fn refused_id(message: Result<Message, Malformed>) -> Result<Message, Malformed> {
    let needs_escape = |value: &Value| value.as_str().is_some_and(|text| text.contains(is_escaped));
    let (id, params) = match &message {
        Ok(Message::Request { id, params, .. }) => (id.to_value(), params),
        Err(malformed) => (malformed.id.as_ref().map_or(Value::Null, Id::to_value), &Value::Null),
        Ok(Message::Notification { .. } | Message::Response { .. }) => return message,
    };
    if !needs_escape(&id) && !params.get("progressToken").is_some_and(needs_escape) {
        return message;
    }
    Err(Malformed {
        id: None,
        fault: Fault::new(
            FaultKind::InvalidRequest,
            "over long poll, an `id` or `progressToken` holds no backslash and no control character; number your requests",
        ),
        answer: true,
    })
}

/// Whether JSON writes a character as an escape other than `\"` and `\n`; all control characters count.
fn is_escaped(c: char) -> bool {
    c == '\\' || (c.is_control() && c != '\n')
}

/// Takes out null fields, and characters that JSON would write as escapes.
pub(super) fn plain(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|_, field| !field.is_null());
            object.values_mut().for_each(plain);
        }
        Value::Array(items) => {
            items.retain(|item| !item.is_null());
            items.iter_mut().for_each(plain);
        }
        Value::String(text) if text.contains(is_escaped) => {
            *text = text
                .chars()
                .map(|c| match c {
                    '\\' => '/',
                    c if is_escaped(c) => ' ',
                    c => c,
                })
                .collect();
        }
        _ => {}
    }
}

/// Shortens a message to `limit` bytes: long texts end in an ellipsis, then long lists of texts or records lose their tail.
/// Short texts (codes), what is sent back (`id`, `progressToken`) and numbers stay as they are.
pub(super) fn shorten(value: &mut Value, limit: usize) {
    for length in TEXT_LENGTHS {
        if fits(value, limit) {
            return;
        }
        shorten_texts(value, length);
    }
    for items in [16, 8, 4, 2, 1] {
        if fits(value, limit) {
            return;
        }
        shorten_lists(value, items);
    }
}

fn fits(value: &Value, limit: usize) -> bool {
    value.to_string().len() <= limit
}

fn shorten_texts(value: &mut Value, length: usize) {
    match value {
        Value::Object(object) => object
            .iter_mut()
            .filter(|(name, _)| !SENT_BACK.contains(&name.as_str()))
            .for_each(|(_, field)| shorten_texts(field, length)),
        Value::Array(items) => items.iter_mut().for_each(|item| shorten_texts(item, length)),
        Value::String(text) if text.chars().count() > length => {
            *text = text.chars().take(length - 1).chain(['…']).collect();
        }
        _ => {}
    }
}

fn shorten_lists(value: &mut Value, length: usize) {
    match value {
        Value::Object(object) => object.values_mut().for_each(|field| shorten_lists(field, length)),
        Value::Array(items) if items.iter().all(|item| item.is_string() || item.is_object()) => {
            items.truncate(length);
            items.iter_mut().for_each(|item| shorten_lists(item, length));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_shrink_before_lists_and_ids_stay() {
        let mut value = json!({"actionId": "g1-17", "text": "é".repeat(3000), "lines": [[1.5, 2.0, 3.0, 4.0]]});
        shorten(&mut value, 2000);
        assert_eq!(value["actionId"], "g1-17");
        assert_eq!(value["text"].as_str().unwrap().chars().count(), 800);
        assert!(value["text"].as_str().unwrap().ends_with('…'));
        assert_eq!(value["lines"][0][3], 4.0);
        let mut value = json!({"warnings": vec![json!({"object": "abc123", "message": "x".repeat(50)}); 100]});
        shorten(&mut value, 2000);
        assert_eq!(value["warnings"].as_array().unwrap().len(), 16);
    }

    #[test]
    fn what_is_sent_back_is_never_shortened() {
        let id = "i".repeat(256);
        let mut value = json!({"id": id, "params": {"progressToken": id}, "text": "x".repeat(3000)});
        shorten(&mut value, 700);
        assert_eq!(
            (&value["id"], &value["params"]["progressToken"]),
            (&json!(id), &json!(id))
        );
        assert!(value["text"].as_str().unwrap().len() < 400);
    }

    #[test]
    fn reasons_are_left_out_everywhere() {
        let mut value = json!({"result": {"ship": "a", "reasons": [1]}, "list": [{"reasons": []}]});
        drop_reasons(&mut value);
        assert_eq!(value, json!({"result": {"ship": "a"}, "list": [{}]}));
    }

    proptest! {
        #[test]
        fn what_the_mod_reads_holds_no_escape_it_cannot_read(text in "\\PC*|[\\x00-\\x1f\\\\/u\"]{0,40}") {
            let mut value = json!({"text": text, "gone": null, "list": [null, text]});
            plain(&mut value);
            let json = value.to_string();
            for bad in ["\\u", "\\/", "\\\\", "null,", ":null"] {
                prop_assert!(!json.contains(bad) || (bad.contains("null") && text.contains("null")), "{}", json);
            }
        }
    }
}
