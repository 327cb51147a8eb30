package io.appwarden.sdk;

import io.appwarden.sdk.checks.Expected;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The app's configuration of the SDK. */
public final class Config {
  final String endpoint;
  final String key;
  String channel = "";
  String packageName = "";
  final Set<String> signers = new HashSet<>();
  final Map<String, String> parts = new HashMap<>();
  final Set<String> services = new HashSet<>();
  RiskListener listener;

  /**
   * @param endpoint where the collector listens: https://warden.example.com
   * @param key the public enrolment key of the application: aw_ek_…
   */
  public Config(String endpoint, String key) {
    this.endpoint = endpoint;
    this.key = key;
  }

  /** The store or campaign that this build goes through. */
  public Config channel(String value) {
    channel = value;
    return this;
  }

  /** The genuine package name and the SHA-256 (hex) of a certificate that may sign it; other ones are 'repackaging'. */
  public Config genuine(String genuinePackage, String signer) {
    packageName = genuinePackage;
    signers.add(signer.toLowerCase(Locale.ROOT).replace(":", ""));
    return this;
  }

  /** The SHA-256 (hex) that a part such as classes.dex must have; another one is 'integrity'. */
  public Config part(String name, String sha256) {
    parts.put(name, sha256.toLowerCase(Locale.ROOT));
    return this;
  }

  /** An accessibility service that is welcome, by the beginning of its id. */
  public Config welcome(String service) {
    services.add(service);
    return this;
  }

  /** Is asked before the SDK warns, blocks or ends the app. */
  public Config onRisk(RiskListener value) {
    listener = value;
    return this;
  }

  Expected expected() {
    return new Expected(packageName, Collections.unmodifiableSet(signers), Collections.unmodifiableMap(parts), Collections.unmodifiableSet(services));
  }
}
