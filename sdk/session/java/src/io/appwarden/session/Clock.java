package io.appwarden.session;

/** Unix milliseconds; tests give their own. */
public interface Clock {
  long millis();

  Clock SYSTEM =
      new Clock() {
        @Override
        public long millis() {
          return System.currentTimeMillis();
        }
      };
}
