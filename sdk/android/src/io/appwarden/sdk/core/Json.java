package io.appwarden.sdk.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, texts, longs, doubles, booleans and null. Small on purpose: what the collector speaks, and no more. */
public final class Json {
  private static final int MAX_DEPTH = 32;
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** Throws IllegalArgumentException for a text that is not JSON. */
  public static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value(0);
    json.space();
    if (json.at != text.length()) throw json.bad();
    return value;
  }

  /** The members of a JSON object; empty for anything else, unreadable texts too. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> object(String text) {
    try {
      Object value = parse(text);
      return value instanceof Map ? (Map<String, Object>) value : new LinkedHashMap<String, Object>();
    } catch (IllegalArgumentException error) {
      return new LinkedHashMap<String, Object>();
    }
  }

  /** Half a character pair becomes a blank: the collector refuses it. */
  public static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value == null || value instanceof Boolean || value instanceof Long || value instanceof Integer) {
      out.append(value);
    } else if (value instanceof Number) {
      double number = ((Number) value).doubleValue();
      if (Double.isNaN(number) || Double.isInfinite(number)) out.append("null");
      else out.append(number);
    } else if (value instanceof Map) {
      char before = '{';
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        out.append(before);
        quote(String.valueOf(entry.getKey()), out);
        out.append(':');
        write(entry.getValue(), out);
        before = ',';
      }
      out.append(before == '{' ? "{}" : "}");
    } else if (value instanceof Iterable) {
      char before = '[';
      for (Object one : (Iterable<?>) value) {
        out.append(before);
        write(one, out);
        before = ',';
      }
      out.append(before == '[' ? "[]" : "]");
    } else {
      quote(String.valueOf(value), out);
    }
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair = Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) out.append(c).append(text.charAt(++i));
      else if (Character.isSurrogate(c)) out.append(' ');
      else if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < 0x20) out.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }

  private Object value(int depth) {
    if (depth > MAX_DEPTH) throw bad();
    space();
    char c = peek();
    if (c == '{') return members(depth);
    if (c == '[') return elements(depth);
    if (c == '"') return string();
    if (word("true")) return Boolean.TRUE;
    if (word("false")) return Boolean.FALSE;
    if (word("null")) return null;
    return number();
  }

  private Map<String, Object> members(int depth) {
    Map<String, Object> found = new LinkedHashMap<>();
    at++;
    space();
    if (take('}')) return found;
    do {
      space();
      String name = string();
      space();
      expect(':');
      found.put(name, value(depth + 1));
      space();
    } while (take(','));
    expect('}');
    return found;
  }

  private List<Object> elements(int depth) {
    List<Object> found = new ArrayList<>();
    at++;
    space();
    if (take(']')) return found;
    do {
      found.add(value(depth + 1));
      space();
    } while (take(','));
    expect(']');
    return found;
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (true) {
      char c = next();
      if (c == '"') return out.toString();
      if (c < 0x20) throw bad();
      if (c != '\\') {
        out.append(c);
        continue;
      }
      char escaped = next();
      int known = "\"\\/bfnrt".indexOf(escaped);
      if (known >= 0) out.append("\"\\/\b\f\n\r\t".charAt(known));
      else if (escaped == 'u') out.append((char) hex());
      else throw bad();
    }
  }

  private int hex() {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(next(), 16);
      if (digit < 0) throw bad();
      value = value * 16 + digit;
    }
    return value;
  }

  private Object number() {
    int start = at;
    while (at < text.length() && "+-0123456789.eE".indexOf(text.charAt(at)) >= 0) at++;
    String digits = text.substring(start, at);
    try {
      if (digits.matches("-?\\d{1,18}")) return Long.parseLong(digits);
      if (digits.matches("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?")) return Double.parseDouble(digits);
    } catch (NumberFormatException error) {
      throw bad();
    }
    throw bad();
  }

  private boolean word(String word) {
    if (!text.startsWith(word, at)) return false;
    at += word.length();
    return true;
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  private char peek() {
    if (at >= text.length()) throw bad();
    return text.charAt(at);
  }

  private char next() {
    char c = peek();
    at++;
    return c;
  }

  private boolean take(char c) {
    if (at >= text.length() || text.charAt(at) != c) return false;
    at++;
    return true;
  }

  private void expect(char c) {
    if (!take(c)) throw bad();
  }

  private IllegalArgumentException bad() {
    return new IllegalArgumentException("not JSON at " + at);
  }
}
