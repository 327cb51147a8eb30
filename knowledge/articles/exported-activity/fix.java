import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;

final class ExternalOrder {
    private ExternalOrder() {}

    /** The order that another app asks for, or null. Extras of others may be broken: reading them must not crash. */
    static String read(Intent intent) {
        try {
            String id = intent.getStringExtra("order");
            return id != null && id.matches("[0-9]{1,18}") ? id : null;
        } catch (RuntimeException broken) {
            return null;
        }
    }

    static void open(Activity from, Class<?> inner, String id) {
        from.startActivity(new Intent(from, inner).putExtra("order", id));
    }
}
