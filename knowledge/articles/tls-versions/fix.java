import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLSocket;

final class ModernTls {
    private ModernTls() {}

    /** Leaves on a socket what it supports of TLS 1.2 and 1.3. */
    static void only(SSLSocket socket) {
        List<String> kept = new ArrayList<>(Arrays.asList("TLSv1.3", "TLSv1.2"));
        kept.retainAll(Arrays.asList(socket.getSupportedProtocols()));
        socket.setEnabledProtocols(kept.toArray(new String[0]));
    }
}
