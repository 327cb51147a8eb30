import android.os.Build;
import java.io.File;
import java.util.ArrayList;
import java.util.List;

final class RootSigns {
    private static final String[] FILES = {
        "/system/bin/su", "/system/xbin/su", "/sbin/su", "/system/app/Superuser.apk", "/data/adb/magisk", "/sbin/.magisk",
    };

    private RootSigns() {}

    /** What speaks for root on this device; each sign alone can be hidden or have another reason. */
    static List<String> find() {
        List<String> signs = new ArrayList<>();
        for (String file : FILES) if (new File(file).exists()) signs.add(file);
        if (Build.TAGS != null && Build.TAGS.contains("test-keys")) signs.add("test-keys");
        if (new File("/system").canWrite()) signs.add("/system is writable");
        return signs;
    }
}
