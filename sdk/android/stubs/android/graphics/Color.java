package android.graphics;

/** Signature only, to compile against: on a phone Android has the class. */
public class Color {
  public static final int WHITE = -1;

  public static int rgb(int red, int green, int blue) {
    throw new UnsupportedOperationException();
  }
}
