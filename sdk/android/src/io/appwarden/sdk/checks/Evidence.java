package io.appwarden.sdk.checks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a check saw: named lists and values, in the order found. Empty evidence is no risk. */
final class Evidence {
  private static final int MOST = 8;
  private final Map<String, Object> found = new LinkedHashMap<>();

  @SuppressWarnings("unchecked")
  void add(String name, String value) {
    List<Object> list = (List<Object>) found.get(name);
    if (list == null) found.put(name, list = new ArrayList<>());
    if (list.size() < MOST && !list.contains(value)) list.add(value);
  }

  void put(String name, Object value) {
    found.put(name, value);
  }

  Map<String, Object> map() {
    return found;
  }
}
