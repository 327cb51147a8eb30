package android.content.pm;

/** Signature only, to compile against: on a phone Android has the class. */
public abstract class PackageManager {
  public static final int GET_SIGNATURES = 64;

  public abstract PackageInfo getPackageInfo(String packageName, int flags) throws NameNotFoundException;

  public static class NameNotFoundException extends Exception {}
}
