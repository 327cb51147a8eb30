package android.os;

/** Signature only, to compile against: on a phone Android has the class. */
public class Build {
  public static final String TAGS = unknown();
  public static final String HARDWARE = unknown();
  public static final String FINGERPRINT = unknown();
  public static final String PRODUCT = unknown();
  public static final String MODEL = unknown();
  public static final String BRAND = unknown();

  public static class VERSION {
    public static final String RELEASE = unknown();
  }

  /** No constant, else the compiler would copy it into the SDK. */
  private static String unknown() {
    return "";
  }
}
