import android.content.Context;
import android.content.Intent;
import android.net.Uri;

final class OneShare {
    private OneShare() {}

    /** Lets one package read one address until it is revoked. */
    static void begin(Context context, Uri uri, String receiver) {
        context.grantUriPermission(receiver, uri, Intent.FLAG_GRANT_READ_URI_PERMISSION);
    }

    static void end(Context context, Uri uri) {
        context.revokeUriPermission(uri, Intent.FLAG_GRANT_READ_URI_PERMISSION);
    }
}
