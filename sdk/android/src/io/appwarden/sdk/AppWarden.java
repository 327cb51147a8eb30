package io.appwarden.sdk;

import android.app.Application;
import android.content.Context;
import android.location.Location;
import android.os.Handler;
import android.os.Looper;
import android.os.SystemClock;
import android.view.MotionEvent;
import io.appwarden.sdk.checks.Checks;
import io.appwarden.sdk.core.AnrWatchdog;
import io.appwarden.sdk.core.Client;
import io.appwarden.sdk.core.Clock;
import io.appwarden.sdk.core.CrashHandler;
import io.appwarden.sdk.core.HttpTransport;
import io.appwarden.sdk.core.Store;
import io.appwarden.sdk.core.Worker;
import java.io.File;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The SDK in an app. `start` in Application.onCreate makes ready; nothing is read, kept or sent before `consent`. All methods may be
 * called from any thread and do nothing before `start`.
 */
public final class AppWarden {
  private static final long CHECK_AGAIN_MS = 60_000;
  private static AppWarden running;

  private final Client client;
  private final Worker worker;
  private final AndroidDevice device;
  private final Config config;
  private final Handler main = new Handler(Looper.getMainLooper());

  private AppWarden(Application application, Config config) {
    this.config = config;
    this.device = new AndroidDevice(application);
    this.worker = new ThreadWorker();
    Screen screen = new Screen(application, main, config.listener);
    File folder = new File(application.getNoBackupFilesDir(), "appwarden");
    this.client =
        new Client(
            new HttpTransport(config.endpoint), new Store(folder), new AndroidClock(), worker, config.key,
            new AndroidHost(application, device, config, screen));
  }

  /** Once, in Application.onCreate. Other processes of the app than its main one are left alone. */
  public static synchronized void start(Application application, Config config) {
    if (running == null && isMainProcess(application)) running = new AppWarden(application, config);
  }

  /** The user has agreed: call it on every start. The first one makes the device known to the server. */
  public static void consent() {
    final AppWarden self = self();
    if (self != null) self.run(new Runnable() {
      @Override
      public void run() {
        self.begin();
      }
    });
  }

  /** The user took it back: stops, and deletes all that the SDK kept. */
  public static void withdraw() {
    final AppWarden self = self();
    if (self != null) self.run(new Runnable() {
      @Override
      public void run() {
        self.client.withdraw();
      }
    });
  }

  /** The app's own name of the user; the server keeps only a keyed hash of it. null when he signs out. */
  public static void setUser(String id) {
    AppWarden self = self();
    if (self != null) self.client.setUser(id);
  }

  /** Where the device is, which the user agreed to tell: country (ISO), province, city. null takes it back. */
  public static void setPlace(String country, String province, String city) {
    AppWarden self = self();
    if (self == null) return;
    Map<String, Object> place = new LinkedHashMap<>();
    put(place, "country", country);
    put(place, "province", province);
    put(place, "city", city);
    self.client.setPlace(place.isEmpty() ? null : place);
  }

  /** What happened before a failure. `kind`: page, tap, request, state or log. */
  public static void breadcrumb(String kind, String text) {
    AppWarden self = self();
    if (self != null) self.client.breadcrumb(kind, text);
  }

  /** An exception that the app caught itself. */
  public static void capture(Throwable thrown) {
    AppWarden self = self();
    if (self != null) self.client.exception(thrown);
  }

  /** A risk that the app found itself; `custom` where no other type fits. */
  public static void risk(String type, Map<String, Object> evidence) {
    AppWarden self = self();
    if (self != null) self.client.risk(type, evidence);
  }

  /** Reports a location that did not come from the device's own receivers. */
  public static void checkLocation(Location location) {
    if (location != null && location.isFromMockProvider()) risk("mock_location", Collections.<String, Object>singletonMap("provider", location.getProvider()));
  }

  /** From dispatchTouchEvent of a screen where it matters: something else lay over the window. */
  public static void checkTouch(MotionEvent event) {
    if ((event.getFlags() & MotionEvent.FLAG_WINDOW_IS_OBSCURED) != 0) risk("overlay", Collections.<String, Object>singletonMap("obscured", true));
  }

  /** From the app's screen capture callback (Android 14). */
  public static void screenCaptured() {
    risk("screen_capture", Collections.<String, Object>singletonMap("callback", true));
  }

  private static synchronized AppWarden self() {
    return running;
  }

  private void run(Runnable work) {
    worker.later(work, 0);
  }

  private void begin() {
    if (client.isRunning()) return;
    client.consent();
    CrashHandler.install(client);
    new AnrWatchdog(client, Looper.getMainLooper().getThread(), new AnrWatchdog.Poster() {
      @Override
      public void post(Runnable work) {
        main.post(work);
      }
    }).start();
    client.event("start", Collections.<String, Object>emptyMap());
    client.event("env", environment());
    final Checks checks = new Checks(device, config.expected());
    worker.later(new Runnable() {
      @Override
      public void run() {
        if (!client.isRunning()) return;
        for (Map.Entry<String, Map<String, Object>> one : checks.run().entrySet()) client.risk(one.getKey(), one.getValue());
        worker.later(this, CHECK_AGAIN_MS);
      }
    }, 0);
  }

  /** What a baseline of the released version is compared with. */
  private Map<String, Object> environment() {
    Map<String, Object> hashes = new HashMap<>();
    put(hashes, "classes.dex", device.partHash("classes.dex"));
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("hashes", hashes);
    return detail;
  }

  static void put(Map<String, Object> map, String name, String value) {
    if (value != null && !value.isEmpty()) map.put(name, value);
  }

  private static boolean isMainProcess(Context context) {
    List<String> lines = new AndroidDevice(context).lines("/proc/self/cmdline");
    return lines.isEmpty() || lines.get(0).split("\0")[0].equals(context.getPackageName());
  }

  private static final class AndroidClock implements Clock {
    @Override
    public long wall() {
      return System.currentTimeMillis();
    }

    @Override
    public long elapsed() {
      return SystemClock.elapsedRealtime();
    }
  }

  private static final class ThreadWorker implements Worker {
    private final ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(new ThreadFactory() {
          @Override
          public Thread newThread(Runnable work) {
            Thread thread = new Thread(work, "appwarden");
            thread.setDaemon(true);
            thread.setPriority(Thread.MIN_PRIORITY);
            return thread;
          }
        });

    @Override
    public void later(final Runnable work, long ms) {
      thread.schedule(new Runnable() {
        @Override
        public void run() {
          try {
            work.run();
          } catch (RuntimeException ours) {
            // A fault of the SDK must not end the app.
          }
        }
      }, ms, TimeUnit.MILLISECONDS);
    }
  }
}
