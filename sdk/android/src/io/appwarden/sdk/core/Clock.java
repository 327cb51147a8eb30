package io.appwarden.sdk.core;

/** The machine's two clocks in milliseconds. */
public interface Clock {
  /** Since 1970, right or wrong, and the user may set it. */
  long wall();

  /** Since some moment; goes on in sleep, never jumps. */
  long elapsed();
}
