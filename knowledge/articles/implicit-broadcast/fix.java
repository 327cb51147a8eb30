import android.content.Context;
import android.content.Intent;

final class SyncNotice {
    private SyncNotice() {}

    /** Notifies the companion app alone that a sync has ended. It contains no data: the companion asks for it. */
    static void send(Context context) {
        Intent intent = new Intent("com.example.app.SYNC_DONE").setPackage("com.example.companion");
        context.sendBroadcast(intent, "com.example.app.permission.SYNC");
    }
}
