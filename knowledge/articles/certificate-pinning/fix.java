import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Set;
import javax.net.ssl.SSLPeerUnverifiedException;

final class Pins {
    private Pins() {}

    /**
     * Throws unless one key of the verified chain is pinned: the chain that X509TrustManagerExtensions.checkServerTrusted returns.
     * getServerCertificates() is what the server sent and may hold certificates that verify nothing. For HttpsURLConnection: after
     * connect(), before anything is sent.
     */
    static void check(Certificate[] verifiedChain, Set<String> pins) throws SSLPeerUnverifiedException, NoSuchAlgorithmException {
        for (Certificate one : verifiedChain) {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(one.getPublicKey().getEncoded());
            if (pins.contains(Base64.getEncoder().encodeToString(hash))) return;
        }
        throw new SSLPeerUnverifiedException("no pinned key");
    }
}
