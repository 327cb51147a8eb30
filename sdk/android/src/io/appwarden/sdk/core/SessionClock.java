package io.appwarden.sdk.core;

/**
 * One process's own time: the wall clock at its start, carried on by the clock that does not jump, so that a user who sets the time moves
 * nothing. The server's answers turn it into the server's time.
 */
final class SessionClock {
  private static final long MEASURED_MS = 120_000;
  private final Clock clock;
  private final long base;
  private volatile long offset;
  private volatile boolean known;
  private long firstElapsed;
  private long firstServer;

  SessionClock(Clock clock) {
    this.clock = clock;
    this.base = clock.wall() - clock.elapsed();
  }

  long elapsed() {
    return clock.elapsed();
  }

  long now() {
    return base + clock.elapsed();
  }

  long serverNow() {
    return now() + offset;
  }

  /** What to add for the server's time. */
  void learn(long serverOffset) {
    if (!known) {
      firstElapsed = clock.elapsed();
      firstServer = now() + serverOffset;
    }
    offset = serverOffset;
    known = true;
  }

  /** A guess from an earlier process: used, but not as if it were known. */
  void guess(long earlier) {
    if (!known) offset = earlier;
  }

  /** How fast this machine's clock goes beside the server's since its first answer; 1 while too little time has passed to say. */
  double rate() {
    long server = serverNow() - firstServer;
    return known && server > MEASURED_MS ? (double) (clock.elapsed() - firstElapsed) / server : 1;
  }

  long offsetOrZero() {
    return offset;
  }

  /** null before the server's first answer. */
  Long offset() {
    return known ? offset : null;
  }
}
