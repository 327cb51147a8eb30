package android.view;

/** Signature only, to compile against: on a phone Android has the class. */
public abstract class ViewGroup extends View {
  public static class LayoutParams {
    public static final int MATCH_PARENT = -1;

    public LayoutParams(int width, int height) {
      throw new UnsupportedOperationException();
    }
  }
}
