package io.appwarden.sdk.checks;

import java.util.Collections;
import java.util.Map;
import java.util.Set;

/** What the app's maker knows about the genuine build; what is empty is not checked. */
public final class Expected {
  final String packageName;
  /** SHA-256 of the certificates that may sign it, lower-case hex. */
  final Set<String> signers;
  /** SHA-256 by part: `classes.dex`. */
  final Map<String, String> parts;
  /** Accessibility services that are welcome, by the beginning of their id. */
  final Set<String> services;

  public Expected(String packageName, Set<String> signers, Map<String, String> parts, Set<String> services) {
    this.packageName = packageName;
    this.signers = signers;
    this.parts = parts;
    this.services = services;
  }

  public static Expected nothing() {
    return new Expected("", Collections.<String>emptySet(), Collections.<String, String>emptyMap(), Collections.<String>emptySet());
  }
}
