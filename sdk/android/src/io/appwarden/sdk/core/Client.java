package io.appwarden.sdk.core;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The SDK without Android: everything it touches comes in. Before consent it reads and writes nothing. */
public final class Client {
  public static final String VERSION = "1.0.0";
  private static final long TICK_MS = 10_000;
  private static final int CRUMBS = 20;
  private static final int DETAIL_BYTES = 4096;
  private static final int FAILURE_BYTES = 16_384;
  private static final int EXCEPTIONS_A_MINUTE = 20;
  private static final int FRAMES = 120;

  /** What the app around it gives. */
  public interface Host {
    /** The device's own stable id, made or read once consent is there. */
    String device();

    /** Fields that are true for all events of this process: platform, app_version, channel, os, model, brand, network, … */
    Map<String, Object> facts();

    /** Does what the policy says. */
    void act(String risk, String action, String text, Map<String, Object> evidence);

    /** `zh` or `en`. */
    String language();
  }

  private final Transport transport;
  private final Store store;
  private final Clock clock;
  private final Worker worker;
  private final String enrolmentKey;
  private final Host host;
  private final Set<String> seen = new HashSet<>();
  private final List<Object> crumbs = new ArrayList<>();
  private final List<Long> exceptions = new ArrayList<>();
  private volatile Session session;
  private String user = "";
  private Map<String, Object> place;
  private int lost;

  /** From consent to withdrawal. */
  private final class Session {
    final SessionClock time = new SessionClock(clock);
    final String id = UUID.randomUUID().toString();
    final String device;
    final Map<String, Object> facts;
    final PolicyKeeper policy = new PolicyKeeper(store);
    final Delivery delivery;
    boolean banShown;

    Session() {
      Object kept = store.get("offset");
      if (kept instanceof Number) time.guess(((Number) kept).longValue());
      if (store.text("device").isEmpty()) store.set("device", host.device());
      device = store.text("device");
      facts = host.facts();
      delivery =
          new Delivery(
              transport, store, time, enrolmentKey, device,
              new Delivery.Hooks() {
                @Override
                public void beforeSend() {
                  policy.refresh(delivery, time, String.valueOf(facts.get("app_version")));
                }

                @Override
                public void prune(Map<String, Object> event) {
                  policy.prune(event);
                }

                @Override
                public void lost(int count) {
                  addLost(count);
                }
              });
      policy.restore(delivery.policyKey());
    }
  }

  public Client(Transport transport, Store store, Clock clock, Worker worker, String enrolmentKey, Host host) {
    this.transport = transport;
    this.store = store;
    this.clock = clock;
    this.worker = worker;
    this.enrolmentKey = enrolmentKey;
    this.host = host;
  }

  /** The user agreed: from now on there is something to collect. On the worker's thread. */
  public synchronized void consent() {
    if (session != null) return;
    final Session started = new Session();
    session = started;
    worker.later(
        new Runnable() {
          @Override
          public void run() {
            if (session != started) return;
            try {
              tellLost();
              started.delivery.send();
              checkSpeed(started.time.rate());
              obeyBan(started);
            } finally {
              long rest = started.delivery.rest();
              worker.later(this, rest > 0 ? Math.min(rest, TICK_MS) : TICK_MS);
            }
          }
        },
        0);
  }

  /** The user took it back: stops, and deletes all that was kept. On the worker's thread. */
  public synchronized void withdraw() {
    Session was = session;
    session = null;
    if (was != null) was.delivery.stop();
    seen.clear();
    crumbs.clear();
    user = "";
    place = null;
    store.clear();
  }

  public boolean isRunning() {
    return session != null;
  }

  /** The app's own name of the user; only a keyed hash of it is stored. */
  public synchronized void setUser(String id) {
    user = id == null ? "" : Details.clip(id);
  }

  /** Where the device is (country, province, city, longitude, latitude), which the user agreed to tell; null takes it back. */
  public synchronized void setPlace(Map<String, Object> declared) {
    place = declared;
  }

  public synchronized void breadcrumb(String kind, String text) {
    Session now = session;
    if (now == null) return;
    Map<String, Object> crumb = new LinkedHashMap<>();
    crumb.put("at", now.time.serverNow());
    crumb.put("kind", kind);
    crumb.put("text", Details.clip(text));
    if (crumbs.size() == CRUMBS) crumbs.remove(0);
    crumbs.add(crumb);
  }

  /** `type`: start or env. */
  public void event(String type, Map<String, Object> detail) {
    add(type, new LinkedHashMap<String, Object>(), detail, DETAIL_BYTES);
  }

  /** A crash: kept before it answers, since the process ends; it leaves with the next start. */
  public void crash(Thread thread, Throwable thrown) {
    failure("crash", thread.getName(), thrown.getClass().getName(), String.valueOf(thrown.getMessage()), stackOf(thrown));
  }

  /** An exception that the app caught. */
  public void exception(Throwable thrown) {
    synchronized (this) {
      long now = clock.elapsed();
      while (!exceptions.isEmpty() && now - exceptions.get(0) > 60_000) exceptions.remove(0);
      if (exceptions.size() >= EXCEPTIONS_A_MINUTE) return;
      exceptions.add(now);
    }
    String name = Thread.currentThread().getName();
    failure("exception", name, thrown.getClass().getName(), String.valueOf(thrown.getMessage()), stackOf(thrown));
  }

  /** The main thread did not answer for so long. */
  public void anr(long ms, StackTraceElement[] stack) {
    StringBuilder out = new StringBuilder("io.appwarden.sdk.NotResponding: main thread busy for " + ms + " ms");
    for (StackTraceElement frame : stack) out.append("\n\tat ").append(frame);
    failure("anr", "main", "io.appwarden.sdk.NotResponding", "main thread busy for " + ms + " ms", out.toString());
  }

  /** A risk was seen: does what the policy says, and reports it once a process for the same evidence. */
  public void risk(String risk, Map<String, Object> evidence) {
    Session now = session;
    if (now == null) return;
    String action = now.policy.actionOn(risk);
    if (action.equals("none")) return;
    synchronized (this) {
      if (!seen.add(risk + " " + Json.write(evidence))) return;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("risk_type", risk);
    fields.put("action", action);
    add("risk", fields, evidence, DETAIL_BYTES);
    breadcrumb("risk", risk);
    if (!action.equals("report")) host.act(risk, action, now.policy.textOn(risk, host.language()), evidence);
  }

  private void failure(String type, String thread, String reason, String message, String stack) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("reason", reason);
    detail.put("message", message);
    detail.put("thread", thread);
    synchronized (this) {
      detail.put("breadcrumbs", new ArrayList<>(crumbs));
    }
    detail.put("memory", Runtime.getRuntime().freeMemory() >> 20);
    detail.put("stack", stack);
    add(type, new LinkedHashMap<String, Object>(), detail, FAILURE_BYTES);
  }

  private void add(String type, Map<String, Object> fields, Map<String, Object> detail, int detailBytes) {
    Session now = session;
    if (now == null) return;
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("event_id", UUID.randomUUID().toString());
    event.put("type", type);
    event.put("device_id", now.device);
    event.put("session_id", now.id);
    event.put("sdk_version", "android-" + VERSION);
    for (Map.Entry<String, Object> fact : now.facts.entrySet())
      event.put(fact.getKey(), fact.getValue() instanceof String ? Details.clip(fact.getValue()) : fact.getValue());
    synchronized (this) {
      if (!user.isEmpty()) event.put("user_id", user);
      if (place != null) {
        event.put("place", place);
        event.put("consent", java.util.Collections.singletonMap("location", true));
      }
    }
    event.putAll(fields);
    if (!detail.isEmpty()) event.put("detail", Details.fit(detail, detailBytes));
    Map<String, Object> waiting = new LinkedHashMap<>();
    waiting.put("event", event);
    waiting.put("at", now.time.now());
    waiting.put("offset", now.time.offset());
    if (!store.add(waiting)) addLost(1);
  }

  private synchronized void addLost(int count) {
    lost += count;
  }

  /** An analyst banned this device: then the app is not to be used, whatever it shows. No attack happened, so none is reported. */
  private void obeyBan(Session now) {
    if (!now.policy.banned() || now.banShown) return;
    now.banShown = true;
    host.act("custom", "block", now.policy.textOn("custom", host.language()), new LinkedHashMap<String, Object>());
  }

  /** A clock that goes much faster or slower than the server's was changed; a slow network moves it by seconds only. */
  private void checkSpeed(double rate) {
    if (rate > 0.8 && rate < 1.2) return;
    Map<String, Object> evidence = new LinkedHashMap<>();
    evidence.put("tenths_of_server", Math.round(rate * 10));
    risk("speed_change", evidence);
  }

  /** Said once it can be: how many events the queue or the collector would not take. */
  private void tellLost() {
    int count;
    synchronized (this) {
      count = lost;
      lost = 0;
    }
    if (count == 0) return;
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("kind", "lost");
    detail.put("count", count);
    event("env", detail);
  }

  private static String stackOf(Throwable thrown) {
    StringWriter out = new StringWriter();
    thrown.printStackTrace(new PrintWriter(out, true));
    String[] lines = out.toString().split("\n");
    if (lines.length <= FRAMES) return out.toString().trim();
    // Of a very deep stack its top, and its end with the cause.
    StringBuilder cut = new StringBuilder();
    for (int i = 0; i < FRAMES; i++) cut.append(lines[i < FRAMES / 2 ? i : lines.length - FRAMES + i]).append('\n');
    return cut.toString().trim();
  }
}
