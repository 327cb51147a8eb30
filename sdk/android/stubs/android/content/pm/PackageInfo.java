package android.content.pm;

/** Signature only, to compile against: on a phone Android has the class. */
public class PackageInfo {
  public String versionName;
  public Signature[] signatures;
}
