package android.net;

/** Signature only, to compile against: on a phone Android has the class. */
public class ConnectivityManager {
  public NetworkInfo getActiveNetworkInfo() {
    throw new UnsupportedOperationException();
  }
}
