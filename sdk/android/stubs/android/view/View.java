package android.view;

/** Signature only, to compile against: on a phone Android has the class. */
public class View {
  public void setBackgroundColor(int color) {
    throw new UnsupportedOperationException();
  }

  public void setPadding(int left, int top, int right, int bottom) {
    throw new UnsupportedOperationException();
  }

  public void setClickable(boolean clickable) {
    throw new UnsupportedOperationException();
  }

  public void setFocusable(boolean focusable) {
    throw new UnsupportedOperationException();
  }

  public final boolean requestFocus() {
    throw new UnsupportedOperationException();
  }
}
