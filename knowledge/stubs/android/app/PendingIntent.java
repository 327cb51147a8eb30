package android.app;

public final class PendingIntent {
    public static final int FLAG_IMMUTABLE = 0x04000000;
    public static final int FLAG_UPDATE_CURRENT = 0x08000000;
    public static PendingIntent getActivity(android.content.Context context, int code, android.content.Intent intent, int flags) { return null; }
}
