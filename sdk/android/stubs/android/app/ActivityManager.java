package android.app;

/** Signature only, to compile against: on a phone Android has the class. */
public class ActivityManager {
  public static boolean isUserAMonkey() {
    throw new UnsupportedOperationException();
  }
}
