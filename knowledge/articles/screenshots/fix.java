import android.view.Window;
import android.view.WindowManager;

final class SecureWindow {
    private SecureWindow() {}

    /** Before the content is set; for windows of dialogs too. */
    static void apply(Window window) {
        window.setFlags(WindowManager.LayoutParams.FLAG_SECURE, WindowManager.LayoutParams.FLAG_SECURE);
    }
}
