import android.content.pm.PackageManager;
import android.os.Binder;

final class CallerCheck {
    private CallerCheck() {}

    /** To be called inside a method of the binder, before it does anything. */
    static void requireOwnApp(PackageManager packages, String self) {
        String[] callers = packages.getPackagesForUid(Binder.getCallingUid());
        if (callers == null || callers.length != 1
                || packages.checkSignatures(self, callers[0]) != PackageManager.SIGNATURE_MATCH)
            throw new SecurityException("unknown caller");
    }
}
