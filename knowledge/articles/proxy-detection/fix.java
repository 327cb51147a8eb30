import java.io.IOException;
import java.net.Proxy;
import java.net.URL;
import java.net.URLConnection;

final class DirectConnection {
    private DirectConnection() {}

    /** A connection that does not use the proxy of the system. */
    static URLConnection open(URL address) throws IOException {
        return address.openConnection(Proxy.NO_PROXY);
    }

    static boolean hasProxy() {
        String host = System.getProperty("http.proxyHost");
        return host != null && !host.isEmpty();
    }
}
