package tallyho.vassal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as the wire has it: objects are maps in their order, arrays lists, numbers longs or doubles, and null is null.
 */
final class Json {
  /** Deeper nesting is refused: it would end the reader, not the message. */
  private static final int DEEPEST = 128;

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** A text that is not JSON. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String message) {
      super(message);
    }
  }

  /** An object from names and values in turn. Null values are left out. */
  static Map<String, Object> object(Object... namesAndValues) {
    final Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i + 1] != null) {
        object.put((String) namesAndValues[i], namesAndValues[i + 1]);
      }
    }
    return object;
  }

  /** The text of a value. */
  static String write(Object value) {
    final StringBuilder out = new StringBuilder();
    write(out, value);
    return out.toString();
  }

  /** The value of a text. */
  static Object read(String text) throws Malformed {
    final Json reader = new Json(text);
    final Object value = reader.value(0);
    reader.blanks();
    if (reader.at != text.length()) {
      throw reader.malformed("something follows the value");
    }
    return value;
  }

  /** A field of an object that is text; otherwise nothing. */
  static String text(Object object, String name) {
    final Object value = field(object, name);
    return value instanceof String ? (String) value : "";
  }

  /** A field of an object that is a number; otherwise the other one. */
  static double number(Object object, String name, double otherwise) {
    final Object value = field(object, name);
    return value instanceof Number ? ((Number) value).doubleValue() : otherwise;
  }

  /** Whether a field of an object is true. */
  static boolean isTrue(Object object, String name) {
    return Boolean.TRUE.equals(field(object, name));
  }

  /** A field of an object that is a list; otherwise an empty one. */
  static List<?> list(Object object, String name) {
    final Object value = field(object, name);
    return value instanceof List ? (List<?>) value : List.of();
  }

  /** A field of an object; null if there is none. */
  static Object field(Object object, String name) {
    return object instanceof Map ? ((Map<?, ?>) object).get(name) : null;
  }

  private static void write(StringBuilder out, Object value) {
    if (value instanceof Map) {
      char before = '{';
      for (final Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        out.append(before);
        writeText(out, String.valueOf(entry.getKey()));
        out.append(':');
        write(out, entry.getValue());
        before = ',';
      }
      out.append(before == '{' ? "{}" : "}");
    }
    else if (value instanceof Iterable) {
      char before = '[';
      for (final Object item : (Iterable<?>) value) {
        out.append(before);
        write(out, item);
        before = ',';
      }
      out.append(before == '[' ? "[]" : "]");
    }
    else if (value instanceof Double) {
      final double number = (Double) value;
      final boolean whole = number == Math.rint(number) && Math.abs(number) < 1e15;
      out.append(whole ? String.valueOf((long) number) : Double.isFinite(number) ? String.valueOf(number) : "null");
    }
    else if (value == null || value instanceof Number || value instanceof Boolean) {
      out.append(value);
    }
    else {
      writeText(out, value.toString());
    }
  }

  private static void writeText(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); ++i) {
      final char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      }
      else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      }
      else if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
        out.append(c).append(text.charAt(++i));
      }
      else {
        // Half of a pair is no character, and no UTF-8.
        out.append(Character.isSurrogate(c) ? '\uFFFD' : c);
      }
    }
    out.append('"');
  }

  private Malformed malformed(String what) {
    return new Malformed(what + " at character " + at);
  }

  private void blanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      ++at;
    }
  }

  private char next() throws Malformed {
    blanks();
    if (at == text.length()) {
      throw malformed("the text ends");
    }
    return text.charAt(at);
  }

  private Object value(int depth) throws Malformed {
    if (depth > DEEPEST) {
      throw malformed("it is nested too deeply");
    }
    final char first = next();
    switch (first) {
      case '{':
        return members(depth);
      case '[':
        return items(depth);
      case '"':
        return string();
      case 't':
        return word("true", Boolean.TRUE);
      case 'f':
        return word("false", Boolean.FALSE);
      case 'n':
        return word("null", null);
      default:
        return number();
    }
  }

  private Object word(String word, Object value) throws Malformed {
    if (!text.startsWith(word, at)) {
      throw malformed("no such word");
    }
    at += word.length();
    return value;
  }

  private Map<String, Object> members(int depth) throws Malformed {
    final Map<String, Object> object = new LinkedHashMap<>();
    ++at;
    if (next() == '}') {
      ++at;
      return object;
    }
    while (true) {
      if (next() != '"') {
        throw malformed("a name is missing");
      }
      final String name = string();
      if (next() != ':') {
        throw malformed("a colon is missing");
      }
      ++at;
      object.put(name, value(depth + 1));
      final char after = next();
      ++at;
      if (after == '}') {
        return object;
      }
      if (after != ',') {
        throw malformed("a comma is missing");
      }
    }
  }

  private List<Object> items(int depth) throws Malformed {
    final List<Object> list = new ArrayList<>();
    ++at;
    if (next() == ']') {
      ++at;
      return list;
    }
    while (true) {
      list.add(value(depth + 1));
      final char after = next();
      ++at;
      if (after == ']') {
        return list;
      }
      if (after != ',') {
        throw malformed("a comma is missing");
      }
    }
  }

  private String string() throws Malformed {
    final StringBuilder out = new StringBuilder();
    for (++at; at < text.length(); ++at) {
      final char c = text.charAt(at);
      if (c == '"') {
        ++at;
        return out.toString();
      }
      if (c < ' ') {
        throw malformed("a control character");
      }
      if (c != '\\') {
        out.append(c);
        continue;
      }
      if (++at == text.length()) {
        break;
      }
      final int simple = "\"\\/bfnrt".indexOf(text.charAt(at));
      if (simple >= 0) {
        out.append("\"\\/\b\f\n\r\t".charAt(simple));
      }
      else if (text.charAt(at) == 'u' && at + 4 < text.length()) {
        try {
          out.append((char) Integer.parseUnsignedInt(text.substring(at + 1, at + 5), 16));
        }
        catch (NumberFormatException e) {
          throw malformed("no such escape");
        }
        at += 4;
      }
      else {
        throw malformed("no such escape");
      }
    }
    throw malformed("a text does not end");
  }

  private Number number() throws Malformed {
    final int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      ++at;
    }
    final String digits = text.substring(start, at);
    try {
      if (digits.matches("-?[0-9]{1,18}")) {
        return Long.valueOf(digits);
      }
      return Double.valueOf(digits);
    }
    catch (NumberFormatException e) {
      at = start;
      throw malformed("no value");
    }
  }
}
