import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Collections;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

final class NamedSocket {
    private NamedSocket() {}

    /** Connects to an address and checks the certificate against the name. */
    static SSLSocket connect(InetAddress address, String host, int port) throws IOException {
        Socket plain = new Socket(address, port);
        SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setServerNames(Collections.<SNIServerName>singletonList(new SNIHostName(host)));
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }
}
