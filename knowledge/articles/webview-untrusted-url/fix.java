import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

final class OwnAddress {
    private OwnAddress() {}

    /** Whether a page of ours is meant. A text that is no valid URI is refused, so that no two parsers can disagree about it. */
    static boolean is(String text) {
        try {
            URI uri = new URI(text);
            if (!"https".equals(uri.getScheme()) || uri.getUserInfo() != null || uri.getHost() == null) return false;
            String host = uri.getHost().toLowerCase(Locale.ROOT);
            return host.equals("example.com") || host.endsWith(".example.com");
        } catch (URISyntaxException bad) {
            return false;
        }
    }
}
