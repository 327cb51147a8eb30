package io.appwarden.sdk.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes the queue to the collector: enrols once, signs each attempt again, forgets what was acknowledged and nothing else. An event keeps
 * its id and stamps on every retry, so what arrives twice counts once. Lives on the worker's thread.
 */
public final class Delivery {
  static final String EVENTS_PATH = "/collect/v1/events";
  static final String ENROL_PATH = "/collect/v1/enrol";
  private static final int PROOF_BITS = 18;
  private static final int BATCH = 100;
  private static final long MINUTE = 60_000;
  private static final long LONGEST_WAIT = 5 * MINUTE;
  /** A key that the server does not know (revoked, or another installation) may be known again later. */
  private static final long REFUSED_WAIT = 60 * MINUTE;

  /** Callbacks of the delivery. */
  interface Hooks {
    /** There is an install; events wait for what this does. */
    void beforeSend();

    /** Takes out what must not be sent. */
    void prune(Map<String, Object> event);

    /** So many events were refused for good. */
    void lost(int count);
  }

  private static final class Answer {
    final Transport.Reply reply;
    final Map<String, Object> json;

    Answer(Transport.Reply reply, Map<String, Object> json) {
      this.reply = reply;
      this.json = json;
    }

    String why() {
      return String.valueOf(json.get("key"));
    }
  }

  private final Transport transport;
  private final Store store;
  private final SessionClock clock;
  private final String enrolmentKey;
  private final String device;
  private final Hooks hooks;
  private int failures;
  private int batch = BATCH;
  private long notBefore = Long.MIN_VALUE;
  private long enrolledAt = Long.MIN_VALUE / 2;
  private volatile boolean stopped;

  Delivery(Transport transport, Store store, SessionClock clock, String enrolmentKey, String device, Hooks hooks) {
    this.transport = transport;
    this.store = store;
    this.clock = clock;
    this.enrolmentKey = enrolmentKey;
    this.device = device;
    this.hooks = hooks;
  }

  void stop() {
    stopped = true;
  }

  /** Milliseconds until it may be tried again; 0 for now. */
  long rest() {
    return Math.max(0, notBefore == Long.MIN_VALUE ? 0 : notBefore - clock.elapsed());
  }

  /** Sends what waits, where it is not too early. */
  void send() {
    if (stopped || rest() > 0) return;
    boolean going = enrolled() || enrol();
    if (going) hooks.beforeSend();
    while (going && !stopped && rest() == 0) going = sendOne();
    // Something waits and could not go: later, and later still.
    if (!stopped && !store.keys(1).isEmpty())
      pause((long) (Math.min(LONGEST_WAIT, 1000L << Math.min(failures++, 20)) * (1 + Math.random() / 4)));
  }

  /** A signed request without body; null where there is no install. */
  Transport.Reply signedGet(String target, Map<String, String> headers) {
    return enrolled() ? signed("GET", target, null, headers).reply : null;
  }

  String policyKey() {
    return store.text("policy_key");
  }

  private boolean enrolled() {
    return !store.text("install").isEmpty();
  }

  private void pause(long ms) {
    notBefore = Math.max(notBefore, clock.elapsed() + ms);
  }

  private Answer ask(String method, String path, byte[] body, Map<String, String> headers) {
    Map<String, String> all = new HashMap<>(headers);
    if (body != null) all.put("content-type", "application/json");
    long sent = clock.now();
    Transport.Reply reply = transport.send(method, path, all, body);
    boolean readable = body != null || reply.status >= 400;
    Map<String, Object> json = Json.object(readable ? new String(reply.body, Signing.UTF8) : "");
    Object serverTime = json.get("server_time");
    if (serverTime instanceof Number && !stopped) {
      clock.learn(((Number) serverTime).longValue() - (sent + clock.now()) / 2);
      store.set("offset", clock.offset());
    }
    try {
      pause(Long.parseLong(reply.header("retry-after")) * 1000);
    } catch (NumberFormatException error) {
      // the usual case: no wish to wait
    }
    return new Answer(reply, json);
  }

  private Answer signed(String method, String target, byte[] body, Map<String, String> headers) {
    for (int tries = 0; ; tries++) {
      long tstamp = clock.serverNow() / 1000;
      Object before = store.get("sequence");
      // Grows with each attempt, of an app that lost its files too.
      long sequence = Math.max(before instanceof Number ? ((Number) before).longValue() + 1 : 0, clock.serverNow());
      store.set("sequence", sequence);
      Map<String, String> all = new HashMap<>(headers);
      all.put("x-aw-install", store.text("install"));
      all.put("x-aw-seq", String.valueOf(sequence));
      all.put("x-aw-tstamp", String.valueOf(tstamp));
      byte[] signedBody = body == null ? new byte[0] : body;
      all.put("x-aw-signature", Signing.sign(store.text("device_key"), method, target, tstamp, signedBody));
      Answer answer = ask(method, target, body, all);
      String why = answer.why();
      // The answer set the clock right, or said that the number was used.
      if ((why.equals("collect.time") || why.equals("collect.replay")) && tries < 3) continue;
      if (why.equals("collect.key") || why.equals("collect.signature")) {
        store.set("install", null);
        // Refused right after enrolment: doing it again would not help.
        if (clock.elapsed() - enrolledAt < REFUSED_WAIT) pause(REFUSED_WAIT);
      }
      return answer;
    }
  }

  private boolean enrol() {
    if (rest() > 0) return false;
    for (int tries = 0; tries < 2; tries++) {
      long salt = clock.serverNow() / MINUTE;
      Map<String, Object> proof = new LinkedHashMap<>();
      proof.put("salt", salt);
      proof.put("nonce", Signing.proofOfWork(enrolmentKey + device + salt, PROOF_BITS));
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("enrolment_key", enrolmentKey);
      body.put("device_id", device);
      body.put("proof", proof);
      Answer answer = ask("POST", ENROL_PATH, Json.write(body).getBytes(Signing.UTF8), new HashMap<String, String>());
      if (stopped) return false;
      if (answer.reply.status == 201) {
        store.set("device_key", answer.json.get("device_key"));
        store.set("policy_key", answer.json.get("policy_key"));
        // Last, since it says that the others are there.
        store.set("install", answer.json.get("install"));
        enrolledAt = clock.elapsed();
        return true;
      }
      if (answer.why().equals("collect.key")) pause(REFUSED_WAIT);
      // A wrong clock was set right by this very answer.
      if (!answer.why().equals("collect.proof")) return false;
    }
    return false;
  }

  /** One batch. False: not now. */
  private boolean sendOne() {
    List<Long> keys = new ArrayList<>();
    List<Map<String, Object>> events = new ArrayList<>();
    for (long key : store.keys(batch)) {
      Map<String, Object> waiting = store.read(key);
      if (!(waiting.get("event") instanceof Map)) {
        store.remove(key);
        hooks.lost(1);
      } else if (stamp(key, waiting)) {
        keys.add(key);
        events.add(wire(waiting));
      }
    }
    if (keys.isEmpty()) return false;
    byte[] body = Json.write(events).getBytes(Signing.UTF8);
    Answer answer = signed("POST", EVENTS_PATH, body, new HashMap<String, String>());
    int status = answer.reply.status;
    if (stopped) return false;
    if (status == 202) {
      forget(keys, answer.json);
      failures = 0;
      batch = BATCH;
      return true;
    }
    if (status == 400 || status == 413 || status == 415) {
      // One bad event must not take the others along: halve the batch until it is alone.
      if (keys.size() == 1) {
        store.remove(keys.get(0));
        hooks.lost(1);
      }
      batch = Math.max(1, keys.size() / 2);
      return true;
    }
    return !enrolled() && enrol();
  }

  /** Gives an event its times when it is first sent. False where they cannot be kept: then it must not be sent either. */
  @SuppressWarnings("unchecked")
  private boolean stamp(long key, Map<String, Object> waiting) {
    if (waiting.containsKey("reported_at")) return true;
    hooks.prune((Map<String, Object>) waiting.get("event"));
    Object offset = waiting.get("offset");
    long known = offset instanceof Number ? ((Number) offset).longValue() : clock.offsetOrZero();
    waiting.put("occurred_at", ((Number) waiting.get("at")).longValue() + known);
    waiting.put("reported_at", clock.serverNow());
    return store.put(key, waiting);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> wire(Map<String, Object> waiting) {
    Map<String, Object> event = new LinkedHashMap<>((Map<String, Object>) waiting.get("event"));
    event.put("occurred_at", waiting.get("occurred_at"));
    event.put("reported_at", waiting.get("reported_at"));
    return event;
  }

  private void forget(List<Long> keys, Map<String, Object> answer) {
    Set<Integer> again = new HashSet<>();
    int refused = 0;
    Object rejected = answer.get("rejected");
    if (rejected instanceof List)
      for (Object one : (List<?>) rejected) {
        Map<?, ?> entry = (Map<?, ?>) one;
        // An event stamped ahead of the server's clock was not counted: stamp it again.
        if (String.valueOf(entry.get("error")).startsWith("reported_at")) again.add(((Number) entry.get("index")).intValue());
        else refused++;
      }
    for (int i = 0; i < keys.size(); i++) {
      long key = keys.get(i);
      if (again.contains(i)) {
        Map<String, Object> waiting = store.read(key);
        waiting.remove("occurred_at");
        waiting.remove("reported_at");
        store.put(key, waiting);
      } else {
        store.remove(key);
      }
    }
    if (refused > 0) hooks.lost(refused);
  }
}
