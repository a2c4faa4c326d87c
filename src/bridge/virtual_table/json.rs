//! The game's two JSON libraries, with their quirks.

use mlua::{Error, Lua, Table, Value};

fn fail<T>(text: impl Into<String>) -> mlua::Result<T> {
    Err(Error::RuntimeError(text.into()))
}

/// Puts both libraries into `host`. Its field `old_json` chooses the older of the game's two versions of the lower-case
/// one, which cannot read negative numbers.
pub(super) fn install(lua: &Lua, host: &Table) -> mlua::Result<()> {
    let upper = lua.create_table()?;
    upper.set(
        "encode",
        lua.create_function(|_, value: Value| {
            let mut text = String::new();
            encode(&value, &mut text)?;
            Ok(text)
        })?,
    )?;
    upper.set("decode", lua.create_function(|lua, text: Value| decode(lua, &text))?)?;
    let lower = lua.create_table()?;
    let options = host.clone();
    lower.set(
        "parse",
        lua.create_function(move |lua, text: String| {
            if options.get::<Option<bool>>("old_json")? == Some(true) && text.contains(":-") {
                return fail("json.parse: unexpected '-'");
            }
            parse(lua, &text)
        })?,
    )?;
    host.set("JSON", upper)?;
    host.set("json", lower)
}

/// A number as the game prints it: 15 digits, capital E.
fn number(value: f64) -> String {
    if value.is_nan() {
        return "null".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "1e+9999" } else { "-1e+9999" }.into();
    }
    if value == value.trunc() && value.abs() < 1e15 {
        return format!("{}", value as i64);
    }
    let scientific = format!("{value:.14e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let trim = |digits: &str| {
        if digits.contains('.') {
            digits.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            digits.to_owned()
        }
    };
    if (-5..15).contains(&exponent) {
        trim(&format!(
            "{value:.*}",
            usize::try_from(14 - exponent).unwrap_or_default()
        ))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}E{sign}{:02}", trim(mantissa), exponent.abs())
    }
}

fn encode(value: &Value, out: &mut String) -> mlua::Result<()> {
    match value {
        Value::Nil => out.push_str("null"),
        Value::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Integer(value) => out.push_str(&number(*value as f64)),
        Value::Number(value) => out.push_str(&number(*value)),
        Value::String(text) => {
            let Ok(text) = text.to_str() else {
                return fail("JSON: a text that is not UTF-8");
            };
            out.push_str(&serde_json::to_string(&*text).map_err(Error::external)?);
        }
        Value::Table(table) => encode_table(table, out)?,
        other => return fail(format!("JSON: can't convert {} to JSON", other.type_name())),
    }
    Ok(())
}

fn encode_table(table: &Table, out: &mut String) -> mlua::Result<()> {
    let mut items: Vec<(usize, Value)> = Vec::new();
    let mut members: Vec<(String, Value)> = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        match key {
            Value::Integer(n) if n > 0 => items.push((n as usize, value)),
            Value::Number(n) if n > 0.0 && n == n.trunc() => items.push((n as usize, value)),
            Value::String(name) => members.push((name.to_string_lossy(), value)),
            other => {
                return fail(format!(
                    "JSON: a key of kind {} is not to be relied on",
                    other.type_name()
                ));
            }
        }
    }
    if !items.is_empty() && !members.is_empty() {
        return fail("JSON: a table with numbers and names for keys is not to be relied on");
    }
    if !members.is_empty() {
        members.sort_by(|a, b| a.0.cmp(&b.0));
        out.push('{');
        for (i, (name, value)) in members.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            out.push_str(&serde_json::to_string(name).map_err(Error::external)?);
            out.push(':');
            encode(value, out)?;
        }
        out.push('}');
        return Ok(());
    }
    // An empty table is a list; gaps become null.
    let last = items.iter().map(|(n, _)| *n).max().unwrap_or_default();
    if last > 100_000 {
        return fail("JSON: a list with a huge gap");
    }
    let mut slots = vec![Value::Nil; last];
    for (n, value) in items {
        slots[n - 1] = value;
    }
    out.push('[');
    for (i, value) in slots.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        encode(value, out)?;
    }
    out.push(']');
    Ok(())
}

fn decode(lua: &Lua, text: &Value) -> mlua::Result<Value> {
    let Value::String(text) = text else {
        return fail("JSON: decode wants a text");
    };
    let text = text.to_string_lossy();
    if text.trim().is_empty() {
        return Ok(Value::Nil);
    }
    if text.trim_start().starts_with('<') {
        return fail("JSON: html passed to JSON:decode()");
    }
    // Each \u above 7F comes out as the bytes of its UTF-8 form, a character each; whatever follows the first value is
    // not looked at.
    let text = mangle_escapes(&text);
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>();
    match values.next() {
        Some(Ok(value)) => to_lua(lua, &value, false),
        Some(Err(error)) => fail(format!("JSON: {error}")),
        None => Ok(Value::Nil),
    }
}

fn mangle_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let code = escape
            .strip_prefix("\\u")
            .and_then(|digits| digits.get(..4))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if let Some(letter) = code.filter(|&code| code > 0x7f).and_then(char::from_u32) {
            let mut bytes = [0; 4];
            out.extend(letter.encode_utf8(&mut bytes).bytes().map(char::from));
            rest = &escape[6..];
        } else {
            let next = escape[1..].chars().next().map_or(1, |letter| 1 + letter.len_utf8());
            out.push_str(&escape[..next]);
            rest = &escape[next..];
        }
    }
    out.push_str(rest);
    out
}

fn parse(lua: &Lua, text: &str) -> mlua::Result<Value> {
    if text.contains("\\u") || text.contains("\\/") {
        return fail("json.parse knows neither \\u nor \\/");
    }
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| Error::RuntimeError(error.to_string()))?;
    if !value.is_object() && !value.is_array() {
        return fail("json.parse wants an object or a list");
    }
    to_lua(lua, &value, true)
}

fn to_lua(lua: &Lua, value: &serde_json::Value, null_is_value: bool) -> mlua::Result<Value> {
    Ok(match value {
        serde_json::Value::Null if null_is_value => Value::LightUserData(mlua::LightUserData(std::ptr::null_mut())),
        serde_json::Value::Null => Value::Nil,
        serde_json::Value::Bool(value) => Value::Boolean(*value),
        serde_json::Value::Number(value) => Value::Number(value.as_f64().unwrap_or_default()),
        serde_json::Value::String(text) => Value::String(lua.create_string(text)?),
        serde_json::Value::Array(items) => {
            let table = lua.create_table()?;
            for (i, item) in items.iter().enumerate() {
                table.raw_set(i + 1, to_lua(lua, item, null_is_value)?)?;
            }
            Value::Table(table)
        }
        serde_json::Value::Object(members) => {
            let table = lua.create_table()?;
            for (name, item) in members {
                table.raw_set(name.as_str(), to_lua(lua, item, null_is_value)?)?;
            }
            Value::Table(table)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(code: &str) -> String {
        let lua = Lua::new();
        install(&lua, &lua.globals()).unwrap();
        lua.load(code)
            .eval::<String>()
            .unwrap_or_else(|error| format!("error: {error}"))
    }

    #[test]
    fn writing_has_the_quirks_of_the_game() {
        for (code, text) in [
            ("JSON.encode({})", "[]"),
            ("JSON.encode({a = {}})", r#"{"a":[]}"#),
            ("JSON.encode({1, nil, 3})", "[1,null,3]"),
            ("JSON.encode({b = 1, a = true})", r#"{"a":true,"b":1}"#),
            ("JSON.encode({1e15, 0.1, -2.5, 1e-7})", "[1E+15,0.1,-2.5,1E-07]"),
            ("JSON.encode({0 / 0})", "[null]"),
            (r#"JSON.encode({"é\n"})"#, r#"["é\n"]"#),
        ] {
            assert_eq!(evaluate(&format!("return {code}")), text, "{code}");
        }
        assert!(evaluate("return JSON.encode({print})").contains("can't convert function"));
    }

    #[test]
    fn reading_has_the_quirks_of_the_game() {
        for (code, text) in [
            (r#"tostring(JSON.decode('{"a":null}').a)"#, "nil"),
            (r#"tostring(#JSON.decode('[1,2] junk'))"#, "2"),
            (r#"tostring(JSON.decode('  '))"#, "nil"),
            (r#"JSON.decode('["\\u0041"]')[1]"#, "A"),
            (r#"JSON.decode('["\\u00e9"]')[1]"#, "\u{c3}\u{a9}"),
            (r#"type(json.parse('{"a":null}').a)"#, "userdata"),
        ] {
            assert_eq!(evaluate(&format!("return {code}")), text, "{code}");
        }
        for code in [
            "JSON.decode('<html>')",
            r#"json.parse('["\\u0041"]')"#,
            "json.parse('1')",
            "json.parse('[1] junk')",
        ] {
            assert!(evaluate(&format!("return {code}")).starts_with("error"), "{code}");
        }
    }
}
