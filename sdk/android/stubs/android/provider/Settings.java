package android.provider;

import android.content.ContentResolver;

/** Signature only, to compile against: on a phone Android has the class. */
public final class Settings {
  public static final class Secure {
    public static final String ANDROID_ID = "android_id";

    public static String getString(ContentResolver resolver, String name) {
      throw new UnsupportedOperationException();
    }
  }
}
