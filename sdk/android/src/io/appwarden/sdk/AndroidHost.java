package io.appwarden.sdk;

import android.content.Context;
import android.content.pm.PackageInfo;
import android.os.Build;
import io.appwarden.sdk.core.Client;
import io.appwarden.sdk.core.Signing;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** What Android and the app say about themselves; asked once consent is there. */
final class AndroidHost implements Client.Host {
  private final Context context;
  private final AndroidDevice device;
  private final Config config;
  private final Screen screen;

  AndroidHost(Context context, AndroidDevice device, Config config, Screen screen) {
    this.context = context;
    this.device = device;
    this.config = config;
    this.screen = screen;
  }

  /** A hash of the id that this app's maker has of the device, with the package: the same after a new installation, unlike elsewhere. */
  @Override
  public String device() {
    String id = device.androidId();
    if (id.isEmpty()) return "a-" + UUID.randomUUID();
    String text = "appwarden|" + context.getPackageName() + "|" + id;
    return "a-" + Signing.hex(Signing.sha256(text.getBytes(Charset.forName("UTF-8")))).substring(0, 32);
  }

  @Override
  public Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>();
    PackageInfo info = device.packageInfo(context.getPackageName(), 0);
    List<String> signers = device.signers();
    facts.put("platform", "android");
    AppWarden.put(facts, "app_version", info == null ? "" : info.versionName);
    AppWarden.put(facts, "channel", config.channel);
    AppWarden.put(facts, "os", "Android " + Build.VERSION.RELEASE);
    AppWarden.put(facts, "model", Build.MODEL);
    AppWarden.put(facts, "brand", Build.BRAND);
    AppWarden.put(facts, "network", device.networkName());
    AppWarden.put(facts, "package_name", context.getPackageName());
    AppWarden.put(facts, "signer", signers.isEmpty() ? "" : signers.get(0));
    return facts;
  }

  @Override
  public void act(String risk, String action, String text, Map<String, Object> evidence) {
    screen.act(risk, action, text, evidence);
  }

  @Override
  public String language() {
    return Locale.getDefault().getLanguage().equals("zh") ? "zh" : "en";
  }
}
