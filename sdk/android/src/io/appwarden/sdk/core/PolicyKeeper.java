package io.appwarden.sdk.core;

import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The policy of this device: fetched with its ETag, obeyed only with a good signature and for the application of the first one. */
final class PolicyKeeper {
  private static final String PATH = "/collect/v1/policy";
  private static final long REFRESH_MS = 10 * 60_000;
  /** What an operator may switch off; the collector needs the rest. */
  static final List<String> OPTIONAL =
      Collections.unmodifiableList(
          Arrays.asList(
              "user_id", "place", "network", "session_id", "channel", "model", "brand", "os", "app_version",
              "sdk_version", "package_name", "signer", "detail"));

  private final Store store;
  private volatile Map<String, Object> document = Collections.emptyMap();
  private String etag = "";
  private long askedAt = Long.MIN_VALUE / 2;

  PolicyKeeper(Store store) {
    this.store = store;
  }

  /** What was verified by an earlier process; verified again. */
  void restore(String policyKey) {
    byte[] body = store.text("policy").getBytes(Signing.UTF8);
    if (accept(body, store.text("policy_signature"), policyKey)) etag = store.text("policy_etag");
  }

  /** Asks for a newer one where it is time. */
  void refresh(Delivery delivery, SessionClock clock, String appVersion) {
    if (clock.elapsed() - askedAt < REFRESH_MS) return;
    askedAt = clock.elapsed();
    Map<String, String> headers = new HashMap<>();
    if (!etag.isEmpty()) headers.put("if-none-match", etag);
    Transport.Reply reply = delivery.signedGet(PATH + "?version=" + encode(appVersion), headers);
    if (reply == null || reply.status != 200) return;
    String signature = reply.header("x-aw-policy-signature");
    if (!accept(reply.body, signature, delivery.policyKey())) return;
    etag = reply.header("etag");
    store.set("policy", new String(reply.body, Signing.UTF8));
    store.set("policy_signature", signature);
    store.set("policy_etag", etag);
  }

  private boolean accept(byte[] body, String signature, String policyKey) {
    if (body.length == 0 || policyKey.isEmpty() || !Signing.isSigned(policyKey, body, signature)) return false;
    Map<String, Object> read = Json.object(new String(body, Signing.UTF8));
    Object app = document.get("app");
    if (app != null && !app.equals(read.get("app"))) return false;
    document = read;
    return true;
  }

  boolean banned() {
    return "banned".equals(document.get("verdict"));
  }

  /** A banned device blocks everything; without a rule an app reports and goes on. */
  String actionOn(String risk) {
    if (banned()) return "block";
    Object action = rule(risk).get("action");
    return action instanceof String ? (String) action : "report";
  }

  /** The operator's words; '' where there are none. */
  String textOn(String risk, String language) {
    Object texts = rule(risk).get("text");
    Object text = texts instanceof Map ? ((Map<?, ?>) texts).get(language) : null;
    return text instanceof String ? (String) text : "";
  }

  private Map<?, ?> rule(String risk) {
    Object rules = document.get("rules");
    Object rule = rules instanceof Map ? ((Map<?, ?>) rules).get(risk) : null;
    return rule instanceof Map ? (Map<?, ?>) rule : Collections.emptyMap();
  }

  /** Takes out what must not be sent. */
  void prune(Map<String, Object> event) {
    Object collect = document.get("collect");
    Object off = collect instanceof Map ? ((Map<?, ?>) collect).get("off") : null;
    if (!(off instanceof Collection)) return;
    Set<Object> names = new HashSet<Object>((Collection<?>) off);
    for (String field : OPTIONAL) if (names.contains(field)) event.remove(field);
    // Consent: the place may be sent.
    if (!event.containsKey("place")) event.remove("consent");
  }

  private static String encode(String text) {
    try {
      return URLEncoder.encode(text, "UTF-8").replace("+", "%20");
    } catch (UnsupportedEncodingException error) {
      throw new IllegalStateException(error);
    }
  }
}
