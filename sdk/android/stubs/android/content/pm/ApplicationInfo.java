package android.content.pm;

/** Signature only, to compile against: on a phone Android has the class. */
public class ApplicationInfo {
  public static final int FLAG_DEBUGGABLE = 2;
  public int flags;
  public String sourceDir;
}
