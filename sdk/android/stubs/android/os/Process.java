package android.os;

/** Signature only, to compile against: on a phone Android has the class. */
public class Process {
  public static int myUid() {
    throw new UnsupportedOperationException();
  }

  public static int myPid() {
    throw new UnsupportedOperationException();
  }

  public static void killProcess(int pid) {
    throw new UnsupportedOperationException();
  }
}
