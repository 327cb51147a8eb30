package android.content;

public abstract class Context {
    public static final int RECEIVER_NOT_EXPORTED = 4;
    public abstract android.content.pm.ApplicationInfo getApplicationInfo();
    public abstract android.content.pm.PackageManager getPackageManager();
    public abstract String getPackageName();
    public abstract void sendBroadcast(Intent intent, String permission);
    public abstract Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, int flags);
    public abstract Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, String permission, android.os.Handler handler);
    public abstract void grantUriPermission(String receiver, android.net.Uri uri, int flags);
    public abstract void revokeUriPermission(android.net.Uri uri, int flags);
    public abstract java.io.File getCacheDir();
    public abstract java.io.File getFilesDir();
    public abstract java.io.File getCodeCacheDir();
    public abstract ContentResolver getContentResolver();
    public abstract Object getSystemService(String name);
    public abstract int checkSelfPermission(String permission);
}
