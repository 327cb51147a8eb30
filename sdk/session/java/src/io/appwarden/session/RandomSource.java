package io.appwarden.session;

import java.security.SecureRandom;

/** Random bytes; tests give fixed ones. */
public interface RandomSource {
  byte[] next(int length);

  /** The platform's. */
  RandomSource SECURE =
      new RandomSource() {
        private final SecureRandom random = new SecureRandom();

        @Override
        public byte[] next(int length) {
          byte[] bytes = new byte[length];
          random.nextBytes(bytes);
          return bytes;
        }
      };
}
