package io.appwarden.sdk;

import java.util.Map;

/** The app's own way to do what the policy says. */
public interface RiskListener {
  /**
   * On the main thread. True: the app has done it, and the SDK need not.
   *
   * @param action warn, exit or block
   */
  boolean onRisk(String risk, String action, String text, Map<String, Object> evidence);
}
