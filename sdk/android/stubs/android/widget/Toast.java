package android.widget;

import android.content.Context;

/** Signature only, to compile against: on a phone Android has the class. */
public class Toast {
  public static final int LENGTH_LONG = 1;

  public static Toast makeText(Context context, CharSequence text, int duration) {
    throw new UnsupportedOperationException();
  }

  public void show() {
    throw new UnsupportedOperationException();
  }
}
