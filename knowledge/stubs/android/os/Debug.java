package android.os;

public final class Debug {
    public static boolean isDebuggerConnected() { return false; }
}
