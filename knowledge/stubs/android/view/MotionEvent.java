package android.view;

public final class MotionEvent {
    public static final int FLAG_WINDOW_IS_OBSCURED = 1;
    public static final int FLAG_WINDOW_IS_PARTIALLY_OBSCURED = 2;
    public static final int ACTION_UP = 1;
    public int getFlags() { return 0; }
    public int getAction() { return 0; }
}
