package io.appwarden.session;

import java.util.BitSet;

/** Which of the last 1,024 sequence numbers of a session were accepted. */
public final class ReplayWindow {
  static final int SIZE = 1024;
  private final BitSet accepted = new BitSet(SIZE);
  private int highest;

  /** True once for each number that is not below the window. */
  public synchronized boolean claim(int sequence) {
    if (sequence < 1 || sequence > Session.MAX_SEQUENCE || sequence <= highest - SIZE) return false;
    if (sequence > highest) {
      // The places of the numbers in between are those of numbers that are below the window now.
      if (sequence - highest >= SIZE) accepted.clear();
      else for (int one = highest + 1; one < sequence; one++) accepted.clear(one % SIZE);
      highest = sequence;
      accepted.set(sequence % SIZE);
      return true;
    }
    if (accepted.get(sequence % SIZE)) return false;
    accepted.set(sequence % SIZE);
    return true;
  }
}
