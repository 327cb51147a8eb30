import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

final class SettingsPages {
    private static final Set<String> OPEN = Collections.unmodifiableSet(new HashSet<>(Arrays.asList(
            "com.example.app.DisplayFragment", "com.example.app.NoticeFragment")));

    private SettingsPages() {}

    /** For isValidFragment: pages that may be opened by name. */
    static boolean isOpen(String name) {
        return OPEN.contains(name);
    }
}
