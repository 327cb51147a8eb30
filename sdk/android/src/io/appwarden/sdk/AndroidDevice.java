package io.appwarden.sdk;

import android.app.ActivityManager;
import android.content.Context;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.net.ConnectivityManager;
import android.net.NetworkInfo;
import android.os.Build;
import android.os.Debug;
import android.provider.Settings;
import io.appwarden.sdk.checks.Device;
import io.appwarden.sdk.core.Signing;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Android as the checks see it, from version 5 on. What an app may not see reads as absent. */
final class AndroidDevice implements Device {
  private static final int MAX_LINES = 20_000;
  private final Context context;

  AndroidDevice(Context context) {
    this.context = context;
  }

  @Override
  public boolean exists(String path) {
    try {
      return new File(path).exists();
    } catch (SecurityException hidden) {
      return false;
    }
  }

  @Override
  public List<String> lines(String path) {
    List<String> found = new ArrayList<>();
    try (BufferedReader in = new BufferedReader(new InputStreamReader(new FileInputStream(path), "UTF-8"))) {
      for (String line; (line = in.readLine()) != null && found.size() < MAX_LINES; ) found.add(line);
    } catch (IOException hidden) {
      // not for apps on this version
    }
    return found;
  }

  @Override
  public String property(String name) {
    try {
      Method get = Class.forName("android.os.SystemProperties").getMethod("get", String.class);
      return String.valueOf(get.invoke(null, name));
    } catch (ReflectiveOperationException hidden) {
      return "";
    }
  }

  @Override
  public boolean installed(String packageName) {
    return packageInfo(packageName, 0) != null;
  }

  @Override
  public String build(String member) {
    switch (member) {
      case "TAGS":
        return text(Build.TAGS);
      case "HARDWARE":
        return text(Build.HARDWARE);
      case "FINGERPRINT":
        return text(Build.FINGERPRINT);
      case "PRODUCT":
        return text(Build.PRODUCT);
      default:
        return "";
    }
  }

  @Override
  public List<String> accessibilityServices() {
    String on = Settings.Secure.getString(context.getContentResolver(), "enabled_accessibility_services");
    List<String> found = new ArrayList<>();
    if (on != null) for (String one : on.split(":")) if (!one.isEmpty()) found.add(one);
    return found;
  }

  @Override
  public boolean setting(String name) {
    return "1".equals(Settings.Secure.getString(context.getContentResolver(), name));
  }

  @Override
  public boolean debuggerConnected() {
    return Debug.isDebuggerConnected() || Debug.waitingForDebugger();
  }

  @Override
  public boolean debuggable() {
    return (context.getApplicationInfo().flags & ApplicationInfo.FLAG_DEBUGGABLE) != 0;
  }

  @Override
  public List<String> transports() {
    NetworkInfo info = network();
    if (info == null || !info.isConnected()) return Collections.emptyList();
    List<String> found = new ArrayList<>();
    found.add(info.getTypeName().toLowerCase(java.util.Locale.ROOT));
    if (exists("/sys/class/net/tun0") || exists("/sys/class/net/ppp0")) found.add("vpn");
    return found;
  }

  /** Needs the permission to see the network's state; without it nothing is said. */
  private NetworkInfo network() {
    try {
      return ((ConnectivityManager) context.getSystemService(Context.CONNECTIVITY_SERVICE)).getActiveNetworkInfo();
    } catch (SecurityException hidden) {
      return null;
    }
  }

  @Override
  public String proxy() {
    String host = System.getProperty("http.proxyHost");
    return host == null || host.isEmpty() ? "" : host + ":" + System.getProperty("http.proxyPort");
  }

  @Override
  public List<String> userCertificates() {
    List<String> found = new ArrayList<>();
    try {
      KeyStore store = KeyStore.getInstance("AndroidCAStore");
      store.load(null, null);
      for (String alias : Collections.list(store.aliases())) if (alias.startsWith("user:")) found.add(alias.substring(5));
    } catch (GeneralSecurityException | IOException hidden) {
      // not known, so not said
    }
    return found;
  }

  @Override
  @SuppressWarnings("deprecation") // GET_SIGNING_CERTIFICATES came with Android 9
  public List<String> signers() {
    List<String> found = new ArrayList<>();
    PackageInfo info = packageInfo(packageName(), PackageManager.GET_SIGNATURES);
    if (info != null && info.signatures != null)
      for (android.content.pm.Signature one : info.signatures) found.add(Signing.hex(Signing.sha256(one.toByteArray())));
    return found;
  }

  @Override
  public String packageName() {
    return context.getPackageName();
  }

  @Override
  public String dataFolder() {
    return context.getFilesDir().getAbsolutePath();
  }

  @Override
  public String partHash(String name) {
    try (ZipFile apk = new ZipFile(context.getApplicationInfo().sourceDir)) {
      ZipEntry entry = apk.getEntry(name);
      if (entry == null) return "";
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] part = new byte[65_536];
      try (InputStream in = apk.getInputStream(entry)) {
        for (int n; (n = in.read(part)) >= 0; ) digest.update(part, 0, n);
      }
      return Signing.hex(digest.digest());
    } catch (GeneralSecurityException | IOException hidden) {
      return "";
    }
  }

  @Override
  public int userNumber() {
    return android.os.Process.myUid() / 100_000;
  }

  @Override
  public boolean monkey() {
    return ActivityManager.isUserAMonkey();
  }

  PackageInfo packageInfo(String packageName, int flags) {
    try {
      return context.getPackageManager().getPackageInfo(packageName, flags);
    } catch (PackageManager.NameNotFoundException absent) {
      return null;
    }
  }

  String networkName() {
    List<String> names = transports();
    return names.isEmpty() ? "" : names.get(0);
  }

  /** The device's id of this app's maker, which other makers do not see (Android 8 and later). */
  String androidId() {
    return text(Settings.Secure.getString(context.getContentResolver(), Settings.Secure.ANDROID_ID));
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }
}
