package io.appwarden.sdk.core;

/** Asks the main thread for a sign of life and reports its stack where none comes for five seconds; once for each time it hangs. */
public final class AnrWatchdog extends Thread {
  private static final long LIMIT_MS = 5000;
  private static final long STEP_MS = 1000;
  private final Client client;
  private final Thread main;
  private final Poster poster;
  private volatile long answered;

  /** Posts to the main thread's queue. */
  public interface Poster {
    void post(Runnable work);
  }

  public AnrWatchdog(Client client, Thread main, Poster poster) {
    super("appwarden-watchdog");
    this.client = client;
    this.main = main;
    this.poster = poster;
    setDaemon(true);
  }

  @Override
  public void run() {
    long asked = 0;
    long waited = 0;
    boolean reported = false;
    while (client.isRunning()) {
      if (answered == asked) {
        final long number = ++asked;
        waited = 0;
        reported = false;
        poster.post(
            new Runnable() {
              @Override
              public void run() {
                answered = number;
              }
            });
      }
      try {
        Thread.sleep(STEP_MS);
      } catch (InterruptedException stop) {
        return;
      }
      waited += STEP_MS;
      if (answered != asked && waited >= LIMIT_MS && !reported) {
        reported = true;
        client.anr(waited, main.getStackTrace());
      }
    }
  }
}
