import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

final class SystemTrust {
    private SystemTrust() {}

    /** The trust manager of the system; an own one begins by calling it. */
    static X509TrustManager get() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        for (TrustManager one : factory.getTrustManagers()) if (one instanceof X509TrustManager) return (X509TrustManager) one;
        throw new GeneralSecurityException("no X.509 trust manager");
    }
}
