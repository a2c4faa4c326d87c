//! Messages for clients with a poor JSON reader: short texts, no null, no `\u`, no backslash at all.

use serde_json::Value;

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
        Value::String(text) if text.contains(|c: char| c == '\\' || (c.is_control() && c != '\n')) => {
            *text = text
                .chars()
                .map(|c| match c {
                    '\\' => '/',
                    '\n' => c,
                    c if c.is_control() => ' ',
                    c => c,
                })
                .collect();
        }
        _ => {}
    }
}

/// Shortens a message to `limit` bytes: long texts end in an ellipsis, then long lists of texts or records lose their tail.
/// Short texts (ids, codes) and numbers stay as they are.
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
        Value::Object(object) => object.values_mut().for_each(|field| shorten_texts(field, length)),
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
