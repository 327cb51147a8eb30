import android.net.LocalSocket;
import android.os.Process;
import java.io.IOException;

final class OwnPeer {
    private OwnPeer() {}

    /** Throws unless the other end of the socket is this app. */
    static void require(LocalSocket socket) throws IOException {
        if (socket.getPeerCredentials().getUid() != Process.myUid()) throw new SecurityException("foreign peer");
    }
}
