package android.location;

/** Signature only, to compile against: on a phone Android has the class. */
public class Location {
  public boolean isFromMockProvider() {
    throw new UnsupportedOperationException();
  }

  public String getProvider() {
    throw new UnsupportedOperationException();
  }
}
