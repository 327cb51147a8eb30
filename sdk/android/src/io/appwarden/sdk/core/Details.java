package io.appwarden.sdk.core;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Texts and details as the wire format takes them. */
final class Details {
  private static final int TEXT = 256;

  private Details() {}

  /** No control characters, no broken pairs, at most 256 characters. */
  static String clip(Object value) {
    String text = String.valueOf(value);
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length() && out.length() < TEXT; i++) {
      char c = text.charAt(i);
      boolean pair = Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair && out.length() + 2 > TEXT) break;
      if (pair) out.append(c).append(text.charAt(++i));
      else out.append(Character.isISOControl(c) || Character.isSurrogate(c) ? ' ' : c);
    }
    return out.toString();
  }

  /** In at most so many bytes of JSON: what is longest in it is cut in half until it fits. */
  static Map<String, Object> fit(Map<String, Object> detail, int bytes) {
    Map<String, Object> fitted = new LinkedHashMap<>(detail);
    while (size(fitted) > bytes) {
      String longest = null;
      for (String name : fitted.keySet())
        if (longest == null || size(fitted.get(name)) > size(fitted.get(longest))) longest = name;
      Object value = fitted.get(longest);
      if (value instanceof List && ((List<?>) value).size() > 1) {
        List<?> list = (List<?>) value;
        fitted.put(longest, list.subList(list.size() - list.size() / 2, list.size()));
      } else if (value instanceof String && ((String) value).length() > 1) {
        fitted.put(longest, ((String) value).substring(0, ((String) value).length() / 2));
      } else {
        fitted.remove(longest);
      }
    }
    return fitted;
  }

  private static int size(Object value) {
    return Json.write(value).getBytes(Signing.UTF8).length;
  }
}
