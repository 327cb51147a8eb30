import android.content.Context;
import android.content.pm.ApplicationInfo;

final class DebugFlag {
    private DebugFlag() {}

    /** A second line of defence at start; packages are judged in the pipeline. */
    static boolean isDebugBuild(Context context) {
        return (context.getApplicationInfo().flags & ApplicationInfo.FLAG_DEBUGGABLE) != 0;
    }
}
