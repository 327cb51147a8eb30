import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.Build;

final class InnerBroadcasts {
    private InnerBroadcasts() {}

    /** Registers for broadcasts of this app alone; `permission` is an own one of level signature, for systems before API 33. */
    static void register(Context context, BroadcastReceiver receiver, String action, String permission) {
        IntentFilter filter = new IntentFilter(action);
        if (Build.VERSION.SDK_INT >= 33) context.registerReceiver(receiver, filter, Context.RECEIVER_NOT_EXPORTED);
        else context.registerReceiver(receiver, filter, permission, null);
    }
}
