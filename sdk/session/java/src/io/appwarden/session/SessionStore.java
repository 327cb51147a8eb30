package io.appwarden.session;

/**
 * Where a server keeps sessions. Servers behind one address share one store. Each claim is one atomic step: of two callers with the same value
 * one alone gets true (protocol.md has the statement for PostgreSQL).
 */
public interface SessionStore {
  /** Takes the digest of a hello until that time (Unix seconds); false where it was taken before, or where there is no room. */
  boolean claimHello(byte[] digest, long until);

  /** False where there is no room. */
  boolean put(Session session);

  /** Null for an unknown session. */
  Session get(byte[] id);

  /** False for a number that was accepted before or is below the window, and for an unknown session. */
  boolean claimSequence(byte[] id, int sequence);
}
