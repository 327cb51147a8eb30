package android.content;

import android.content.pm.ApplicationInfo;
import android.content.pm.PackageManager;
import java.io.File;

/** Signature only, to compile against: on a phone Android has the class. */
public abstract class Context {
  public static final String CONNECTIVITY_SERVICE = "connectivity";

  public abstract ContentResolver getContentResolver();

  public abstract ApplicationInfo getApplicationInfo();

  public abstract PackageManager getPackageManager();

  public abstract String getPackageName();

  public abstract File getFilesDir();

  public abstract File getNoBackupFilesDir();

  public abstract Object getSystemService(String name);
}
