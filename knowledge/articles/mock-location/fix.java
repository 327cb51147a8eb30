import android.location.Location;
import android.os.Build;

final class MockLocation {
    private MockLocation() {}

    static boolean is(Location location) {
        return Build.VERSION.SDK_INT >= 31 ? location.isMock() : location.isFromMockProvider();
    }
}
