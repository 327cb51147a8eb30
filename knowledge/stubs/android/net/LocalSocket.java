package android.net;

public class LocalSocket {
    public Credentials getPeerCredentials() throws java.io.IOException { return null; }
}
