package android.os;

/** Signature only, to compile against: on a phone Android has the class. */
public final class Looper {
  public static Looper getMainLooper() {
    throw new UnsupportedOperationException();
  }

  public Thread getThread() {
    throw new UnsupportedOperationException();
  }
}
