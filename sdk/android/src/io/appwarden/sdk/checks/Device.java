package io.appwarden.sdk.checks;

import java.util.List;

/** What the checks may look at. Android in the product, a made-up phone in tests. */
public interface Device {
  /** Whether there is such a file. */
  boolean exists(String path);

  /** Lines of a file; empty where it cannot be read. */
  List<String> lines(String path);

  /** A system property such as `ro.debuggable`; '' where it is not set. */
  String property(String name);

  /** Whether a package of this name is installed, as far as this app may know. */
  boolean installed(String packageName);

  /** android.os.Build by the name of its member: BRAND, MODEL, HARDWARE, …; '' where unknown. */
  String build(String member);

  /** Ids of the accessibility services that are on. */
  List<String> accessibilityServices();

  /** Whether a value of Settings.Secure is 1. */
  boolean setting(String name);

  boolean debuggerConnected();

  /** ApplicationInfo.FLAG_DEBUGGABLE of this app. */
  boolean debuggable();

  /** Names of the transports of the network in use: `vpn`, `wifi`, `cellular`. */
  List<String> transports();

  /** Host and port of the proxy that is set; '' for none. */
  String proxy();

  /** Names of certificates that the user, not the system, trusts. */
  List<String> userCertificates();

  /** SHA-256 of this app's signing certificates, hex. */
  List<String> signers();

  String packageName();

  /** Where this app keeps its files. */
  String dataFolder();

  /** SHA-256 of a part of this app's package such as `classes.dex`; '' where it cannot be read. */
  String partHash(String name);

  /** Numbers of the app's user profile; 0 is the first user. */
  int userNumber();

  boolean monkey();
}
