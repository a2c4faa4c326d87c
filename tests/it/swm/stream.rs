//! `tallyho decide --swm` as a program: streams of positions, posts, pictures.

use std::fs;

use serde_json::Value;

use super::play::tallyho;

#[test]
fn every_line_is_answered_with_its_id_and_none_stops_the_stream() {
    let lines = [
        r#"{"id": "one", "map": [".a .. .. .. .P"], "figures": {"a": {"hp": 20, "def": 14, "atk": 5, "dmg": 10, "abilities": [], "force": 0, "activated": false, "ai_type": "melee"}, "P": {"hp": 60}}, "switches": {}}"#,
        r#"{"id": "two", "map": [".a .x.", ".."], "figures": {}}"#,
        r#"{"id": 3, "map": "nonsense", "figures": {"a": {"hp": []}}}"#,
        "no json at all",
        r#"{"id": "five", "map": [".A .B"], "figures": {}}"#,
        r#"{"id": "six", "map": ["  A  B", "1 .a ..", "2 .. .P"], "figures": {"a": "20/14/+5/10 : Sonic Stunner", "P": null, "z": {"hp": 5}}}"#,
    ];
    let output = tallyho(&["decide", "--swm", "--jsonl"], &lines.join("\n"));
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), lines.len());
    assert!(
        !output.status.success(),
        "lines that cannot be used are an error of the whole"
    );
    assert_eq!(answers[0]["order"], serde_json::json!(["a"]));
    assert_eq!(
        answers[0]["decisions"]["a"],
        serde_json::json!({
            "type": "melee", "rule": "SWM-M1", "steps": ["B1", "C1", "D1"], "fire": "D1", "target": "P", "end": "D1",
            "attacks": 1, "area": null, "sentence": "a moves to D1, then attacks P."
        })
    );
    for (line, id) in [(1, Value::from("two")), (2, Value::from("3")), (3, Value::Null)] {
        assert_eq!(answers[line]["id"], id, "{}", answers[line]);
        assert!(answers[line]["error"].as_str().is_some_and(|error| !error.is_empty()));
        assert_eq!(answers[line]["line"], line + 1);
    }
    // Nobody to decide for is an answer, too.
    assert_eq!(
        (&answers[4]["id"], &answers[4]["order"]),
        (&Value::from("five"), &serde_json::json!([]))
    );
    let warnings = answers[5]["warnings"].to_string();
    assert!(
        warnings.contains("Sonic Stunner") && warnings.contains("figures.z"),
        "{warnings}"
    );
    assert_eq!(answers[5]["decisions"]["a"]["target"], "P");
}

#[test]
fn a_post_is_answered_and_drawn_with_sight_way_and_squares_considered() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("turn.svg");
    let post = "### S1 field of fire\n```\n1 .. .. .. o. .. .. .P\n2 .. .a .. .. .. .. ..\n3 .. .. ## .. .. .. .Q\n```\n\
                a shooter 20/14/+5/10. P 40/16/+6/10, Q 20/16/+6/10. Facts: none.\n";
    let output = tallyho(&["decide", "--swm", "--svg", picture.to_str().unwrap()], post);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("SWM-S2") && shown.contains("D1"), "{shown}");
    let svg = fs::read_to_string(picture).unwrap();
    // The way, a line of sight, a square that was considered, the attack.
    for part in ["<polyline", "#1565c0", "fill-opacity=\"0.22\"", "#b3261e", "Blue:"] {
        assert!(svg.contains(part), "{part} is not in the picture");
    }
}
