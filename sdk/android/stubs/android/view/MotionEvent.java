package android.view;

/** Signature only, to compile against: on a phone Android has the class. */
public final class MotionEvent {
  public static final int FLAG_WINDOW_IS_OBSCURED = 1;

  public int getFlags() {
    throw new UnsupportedOperationException();
  }
}
