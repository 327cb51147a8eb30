import android.content.Context;
import android.os.Build;
import java.io.File;

final class Environment {
    private Environment() {}

    static boolean looksEmulated() {
        String hardware = Build.HARDWARE.toLowerCase(java.util.Locale.ROOT);
        return hardware.contains("goldfish") || hardware.contains("ranchu") || Build.FINGERPRINT.startsWith("generic")
                || new File("/dev/qemu_pipe").exists() || new File("/dev/vboxguest").exists();
    }

    /** In a clone app the private folder lies inside the folder of its host. /mnt/expand: moved to a memory card. */
    static boolean looksCloned(Context context) {
        String path = context.getFilesDir().getPath();
        String name = context.getPackageName();
        return !path.matches("(?:/data|/mnt/expand/[^/]+)/(?:user/\\d+|data)/" + java.util.regex.Pattern.quote(name) + "/files");
    }
}
