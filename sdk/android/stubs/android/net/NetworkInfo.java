package android.net;

/** Signature only, to compile against: on a phone Android has the class. */
public class NetworkInfo {
  public boolean isConnected() {
    throw new UnsupportedOperationException();
  }

  public String getTypeName() {
    throw new UnsupportedOperationException();
  }
}
