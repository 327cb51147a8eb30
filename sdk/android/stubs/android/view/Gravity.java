package android.view;

/** Signature only, to compile against: on a phone Android has the class. */
public class Gravity {
  public static final int CENTER = 17;
}
