package android.os;

/** Signature only, to compile against: on a phone Android has the class. */
public class Handler {
  public Handler(Looper looper) {
    throw new UnsupportedOperationException();
  }

  public final boolean post(Runnable work) {
    throw new UnsupportedOperationException();
  }

  public final boolean postDelayed(Runnable work, long ms) {
    throw new UnsupportedOperationException();
  }
}
