import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;

final class OrderNotice {
    private OrderNotice() {}

    /** What a tap on the notice opens: one screen of ours, which no holder can change. */
    static PendingIntent open(Context context, Class<?> screen, int order) {
        int flags = PendingIntent.FLAG_IMMUTABLE | PendingIntent.FLAG_UPDATE_CURRENT;
        return PendingIntent.getActivity(context, order, new Intent(context, screen), flags);
    }
}
