package io.appwarden.session;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** For one process. A full store refuses new sessions instead of ending those of others. */
public final class MemorySessionStore implements SessionStore {
  private static final class Kept {
    final Session session;
    final ReplayWindow window = new ReplayWindow();

    Kept(Session session) {
      this.session = session;
    }
  }

  private final int maxSessions;
  private final Clock clock;
  /** In the order of their arrival, and nearly in that of their ends. */
  private final Map<String, Kept> sessions = new LinkedHashMap<>();
  private final LinkedHashMap<String, Long> hellos = new LinkedHashMap<>();

  public MemorySessionStore(int maxSessions, Clock clock) {
    this.maxSessions = maxSessions;
    this.clock = clock;
  }

  @Override
  public synchronized boolean claimHello(byte[] digest, long until) {
    Iterator<Long> ends = hellos.values().iterator();
    while (ends.hasNext() && ends.next() * 1000 <= clock.millis()) ends.remove();
    String key = Bytes.toBase64url(digest);
    if (hellos.containsKey(key) || hellos.size() >= maxSessions) return false;
    hellos.put(key, until);
    return true;
  }

  @Override
  public synchronized boolean put(Session session) {
    // Keys of ended sessions must not stay until the store is full.
    Iterator<Kept> all = sessions.values().iterator();
    while (all.hasNext() && all.next().session.expires * 1000 <= clock.millis()) all.remove();
    if (sessions.size() >= maxSessions) return false;
    sessions.put(Bytes.toBase64url(session.id), new Kept(session));
    return true;
  }

  @Override
  public synchronized Session get(byte[] id) {
    Kept kept = sessions.get(Bytes.toBase64url(id));
    return kept == null || kept.session.expires * 1000 <= clock.millis() ? null : kept.session;
  }

  @Override
  public synchronized boolean claimSequence(byte[] id, int sequence) {
    Kept kept = sessions.get(Bytes.toBase64url(id));
    return kept != null && kept.window.claim(sequence);
  }
}
