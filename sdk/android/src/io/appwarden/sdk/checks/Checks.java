package io.appwarden.sdk.checks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at a device and says which risks it shows, each with its evidence. One sign may have a harmless cause; the evidence says which it was. */
public final class Checks {
  private static final String[] SU = {
    "/system/bin/su", "/system/xbin/su", "/sbin/su", "/vendor/bin/su", "/su/bin/su", "/data/local/su",
    "/data/local/bin/su", "/data/local/xbin/su", "/system/sd/xbin/su", "/system/bin/.ext/su", "/cache/su", "/apex/com.android.runtime/bin/su"
  };
  private static final String[] ROOT_FILES = {
    "/sbin/.magisk", "/data/adb/magisk", "/data/adb/ksu", "/data/adb/ap", "/system/app/Superuser.apk", "/system/etc/init.d/99SuperSUDaemon"
  };
  private static final String[] ROOT_APPS = {
    "com.topjohnwu.magisk", "me.weishu.kernelsu", "me.bmax.apatch", "eu.chainfire.supersu", "com.koushikdutta.superuser",
    "com.noshufou.android.su", "com.kingroot.kinguser"
  };
  private static final String[] HOOK_APPS = {
    "de.robv.android.xposed.installer", "org.lsposed.manager", "org.meowcat.edxposed.manager", "io.va.exposed", "com.saurik.substrate"
  };
  private static final Pattern HOOK_LIBRARIES =
      Pattern.compile("(frida-(agent|gadget)|libgadget|XposedBridge|libxposed|lspd|liblsp|edxp|libriru|zygisk|substrate|sandhook|libwhale|libpine)", Pattern.CASE_INSENSITIVE);
  private static final Pattern LIBRARY = Pattern.compile("\\S+ r.x\\S* .*? (/\\S+)$");
  private static final String[] EMULATOR_FILES = {
    "/dev/socket/qemud", "/dev/qemu_pipe", "/dev/goldfish_pipe", "/system/lib/libc_malloc_debug_qemu.so", "/sys/qemu_trace",
    "/system/bin/nox-prop", "/system/bin/microvirt-prop", "/system/lib/libdroid4x.so", "/data/.bluestacks.prop", "/dev/vboxguest", "/dev/vboxuser"
  };
  private static final Pattern EMULATOR_HARDWARE =
      Pattern.compile("^(goldfish|ranchu|vbox86|ttvm_x86|cancro_x86|nox|android_x86)$", Pattern.CASE_INSENSITIVE);
  private static final String[] CLOUD_FILES = {
    "/system/bin/cloudphone", "/system/bin/redroid", "/dev/redroid", "/system/etc/cph.conf", "/vendor/bin/cph_agent", "/data/local/cloudphone"
  };
  private static final String[] CLOUD_PROPERTIES = {"ro.kernel.redroid", "ro.boot.redroid_width", "ro.cph.version", "ro.cloudphone", "ro.armcloud.version"};
  private static final Pattern CLONE_FOLDER =
      Pattern.compile("/(parallel|dualspace|multi|virtual|clone|docker|va_core|com\\.lbe\\.parallel\\S*|com\\.excelliance\\S*)/", Pattern.CASE_INSENSITIVE);
  private static final String[] AUTOMATION_FILES = {"/data/local/tmp/minicap", "/data/local/tmp/minitouch", "/data/local/tmp/uiautomator-server.apk", "/data/local/tmp/atx-agent"};
  private static final String[] AUTOMATION_APPS = {"io.appium.uiautomator2.server", "io.appium.settings", "com.github.uiautomator", "org.autojs.autojs", "com.stardust.scriptdroid"};

  private final Device device;
  private final Expected expected;

  public Checks(Device device, Expected expected) {
    this.device = device;
    this.expected = expected;
  }

  /** Evidence by risk type; what shows no sign is absent. */
  public Map<String, Map<String, Object>> run() {
    Map<String, Map<String, Object>> found = new LinkedHashMap<>();
    put(found, "root", root());
    put(found, "hook", hook());
    put(found, "injection", injection());
    put(found, "debugger", debugger());
    put(found, "emulator", emulator());
    put(found, "cloud_phone", cloudPhone());
    put(found, "multi_open", multiOpen());
    put(found, "proxy_vpn", proxyVpn());
    put(found, "mitm", mitm());
    put(found, "accessibility", accessibility());
    put(found, "automation", automation());
    put(found, "repackaging", repackaging());
    put(found, "integrity", integrity());
    put(found, "mock_location", mockLocation());
    return found;
  }

  private static void put(Map<String, Map<String, Object>> found, String risk, Evidence evidence) {
    if (!evidence.map().isEmpty()) found.put(risk, evidence.map());
  }

  private Evidence root() {
    Evidence found = new Evidence();
    for (String path : SU) if (device.exists(path)) found.add("su", path);
    for (String path : ROOT_FILES) if (device.exists(path)) found.add("files", path);
    for (String app : ROOT_APPS) if (device.installed(app)) found.add("apps", app);
    if (device.build("TAGS").contains("test-keys")) found.add("properties", "build tags: test-keys");
    if (device.property("ro.debuggable").equals("1")) found.add("properties", "ro.debuggable=1");
    if (device.property("ro.secure").equals("0")) found.add("properties", "ro.secure=0");
    for (String line : device.lines("/proc/self/mounts"))
      if (line.contains("magisk") || line.startsWith("KSU ") || line.startsWith("APatch ")) found.add("mounts", first(line));
    return found;
  }

  private Evidence hook() {
    Evidence found = new Evidence();
    for (String line : device.lines("/proc/self/maps")) {
      Matcher match = HOOK_LIBRARIES.matcher(line);
      if (match.find()) found.add("libraries", match.group(1));
    }
    for (String app : HOOK_APPS) if (device.installed(app)) found.add("apps", app);
    // Frida's server answers on these ports, where the system still lets an app see them.
    for (String line : device.lines("/proc/net/tcp"))
      if (line.matches(".*:(69A2|69A3) 0{8}:0{4} 0A .*")) found.add("ports", line.contains(":69A2") ? "27042" : "27043");
    for (StackTraceElement frame : new Throwable().getStackTrace())
      if (frame.getClassName().startsWith("de.robv.android.xposed")) found.add("frames", frame.getClassName());
    return found;
  }

  /** Libraries that run in this process and lie where neither the system nor this app puts any. */
  private Evidence injection() {
    Evidence found = new Evidence();
    for (String line : device.lines("/proc/self/maps")) {
      Matcher match = LIBRARY.matcher(line);
      if (!match.find()) continue;
      String path = match.group(1);
      if (path.startsWith("/data/local/tmp/") || path.startsWith("/sdcard/") || path.startsWith("/storage/")) found.add("libraries", path);
    }
    return found;
  }

  private Evidence debugger() {
    Evidence found = new Evidence();
    if (device.debuggerConnected()) found.put("java", true);
    for (String line : device.lines("/proc/self/status"))
      if (line.startsWith("TracerPid:") && !line.substring(10).trim().equals("0")) found.put("tracer", line.substring(10).trim());
    return found;
  }

  private Evidence emulator() {
    Evidence found = new Evidence();
    for (String path : EMULATOR_FILES) if (device.exists(path)) found.add("files", path);
    if (device.property("ro.kernel.qemu").equals("1")) found.add("properties", "ro.kernel.qemu=1");
    if (device.property("ro.boot.qemu").equals("1")) found.add("properties", "ro.boot.qemu=1");
    if (EMULATOR_HARDWARE.matcher(device.build("HARDWARE")).find()) found.add("build", "hardware " + device.build("HARDWARE"));
    if (device.build("FINGERPRINT").startsWith("generic")) found.add("build", "fingerprint " + device.build("FINGERPRINT"));
    if (device.build("PRODUCT").matches("(sdk|google_sdk|sdk_gphone.*|vbox86p)")) found.add("build", "product " + device.build("PRODUCT"));
    return found;
  }

  private Evidence cloudPhone() {
    Evidence found = new Evidence();
    for (String path : CLOUD_FILES) if (device.exists(path)) found.add("files", path);
    for (String name : CLOUD_PROPERTIES) if (!device.property(name).isEmpty()) found.add("properties", name);
    return found;
  }

  private Evidence multiOpen() {
    Evidence found = new Evidence();
    String folder = device.dataFolder();
    boolean own = folder.matches("/data/(data|user/\\d+|user_de/\\d+)/" + Pattern.quote(device.packageName()) + "(/.*)?");
    if (!own || CLONE_FOLDER.matcher(folder).find()) found.add("folder", folder);
    // Users 10 to 998 are people or work profiles; 999 and the like are clones that the maker's system offers.
    if (device.userNumber() == 999 || device.userNumber() == 95) found.add("profile", String.valueOf(device.userNumber()));
    return found;
  }

  private Evidence proxyVpn() {
    Evidence found = new Evidence();
    if (!device.proxy().isEmpty()) found.put("proxy", device.proxy());
    if (device.transports().contains("vpn")) found.put("vpn", true);
    return found;
  }

  private Evidence mitm() {
    Evidence found = new Evidence();
    for (String name : device.userCertificates()) found.add("certificates", name);
    return found;
  }

  private Evidence accessibility() {
    Evidence found = new Evidence();
    for (String service : device.accessibilityServices()) if (!isWelcome(service)) found.add("services", service);
    return found;
  }

  private boolean isWelcome(String service) {
    for (String begin : expected.services) if (service.startsWith(begin)) return true;
    // Screen readers of the system's makers help people who cannot see.
    String id = service.toLowerCase(Locale.ROOT);
    return id.contains("talkback") || id.startsWith("com.samsung.android.app.talkback") || id.startsWith("com.google.android.marvin");
  }

  private Evidence automation() {
    Evidence found = new Evidence();
    if (device.monkey()) found.put("monkey", true);
    for (String path : AUTOMATION_FILES) if (device.exists(path)) found.add("files", path);
    for (String app : AUTOMATION_APPS) if (device.installed(app)) found.add("apps", app);
    return found;
  }

  private Evidence repackaging() {
    Evidence found = new Evidence();
    if (!expected.packageName.isEmpty() && !expected.packageName.equals(device.packageName())) found.put("package_name", device.packageName());
    List<String> signers = device.signers();
    if (!expected.signers.isEmpty() && !signers.isEmpty() && !expected.signers.containsAll(signers)) found.put("signers", signers);
    return found;
  }

  private Evidence integrity() {
    Evidence found = new Evidence();
    for (Map.Entry<String, String> part : expected.parts.entrySet()) {
      String hash = device.partHash(part.getKey());
      if (!hash.isEmpty() && !hash.equals(part.getValue())) found.put(part.getKey(), hash);
    }
    if (device.debuggable() && !expected.signers.isEmpty()) found.put("debuggable", true);
    return found;
  }

  /** The system's own switch up to Android 5; later ones say it of each location. */
  private Evidence mockLocation() {
    Evidence found = new Evidence();
    if (device.setting("mock_location")) found.put("setting", true);
    return found;
  }

  private static String first(String line) {
    int space = line.indexOf(' ');
    return space < 0 ? line : line.substring(0, space);
  }
}
