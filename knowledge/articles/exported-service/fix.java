import java.net.URI;
import java.util.Collections;
import java.util.Set;

final class DownloadAddress {
    private static final Set<String> HOSTS = Collections.singleton("download.example.com");

    private DownloadAddress() {}

    /** The address, if it is one of ours over TLS; everything else is refused. */
    static URI require(String text) {
        if (text == null || text.length() > 2048) throw new IllegalArgumentException("address");
        URI uri = URI.create(text);
        boolean own = "https".equalsIgnoreCase(uri.getScheme()) && uri.getUserInfo() == null && HOSTS.contains(uri.getHost());
        if (!own) throw new IllegalArgumentException("address");
        return uri;
    }
}
