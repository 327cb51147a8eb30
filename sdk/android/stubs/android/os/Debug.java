package android.os;

/** Signature only, to compile against: on a phone Android has the class. */
public final class Debug {
  public static boolean isDebuggerConnected() {
    throw new UnsupportedOperationException();
  }

  public static boolean waitingForDebugger() {
    throw new UnsupportedOperationException();
  }
}
