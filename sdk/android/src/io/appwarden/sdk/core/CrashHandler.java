package io.appwarden.sdk.core;

/** Keeps what an uncaught exception says, then lets the app's own handler go on as it would have. */
public final class CrashHandler implements Thread.UncaughtExceptionHandler {
  private final Client client;
  private final Thread.UncaughtExceptionHandler before;

  private CrashHandler(Client client, Thread.UncaughtExceptionHandler before) {
    this.client = client;
    this.before = before;
  }

  public static void install(Client client) {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    if (!(before instanceof CrashHandler)) Thread.setDefaultUncaughtExceptionHandler(new CrashHandler(client, before));
  }

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    try {
      client.crash(thread, thrown);
    } catch (RuntimeException | Error ours) {
      // The app's crash comes first, whatever happens here.
    }
    if (before != null) before.uncaughtException(thread, thrown);
  }
}
