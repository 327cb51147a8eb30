package android.content.pm;

/** Signature only, to compile against: on a phone Android has the class. */
public class Signature {
  public byte[] toByteArray() {
    throw new UnsupportedOperationException();
  }
}
