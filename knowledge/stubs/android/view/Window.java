package android.view;

public abstract class Window {
    public void setFlags(int flags, int mask) {}
}
