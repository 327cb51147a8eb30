package io.appwarden.sdk.core;

/** The one thread that files and network are used on. */
public interface Worker {
  /** Runs it after so many milliseconds; nothing that ran before throws into it. */
  void later(Runnable work, long ms);
}
