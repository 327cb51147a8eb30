import { COLLECT_EVENTS_PATH, type WireEvent } from '#contracts/telemetry/wire.ts'

/** Code to paste, with the application's own public key. A server key is never part of it: that one is read from the environment. */

export function webScript(file: { name: string; integrity: string }, endpoint: string, key: string): string {
  return `<script src="/assets/${file.name}"
  integrity="${file.integrity}"
  crossorigin="anonymous"></script>
<script>
  window.warden = AppWarden.init({
    endpoint: '${endpoint}',
    key: '${key}',
    version: '1.0.0',
  })
</script>`
}

export const WEB_CONSENT = `warden.consent()          // the user agreed
warden.setUser('user-1024') // optional; undefined when he signs out

try {
  pay()
} catch (error) {
  warden.capture(error)
}

warden.withdraw()         // the user took it back`

export function webPolicy(endpoint: string): string {
  return `Content-Security-Policy: connect-src 'self' ${endpoint}`
}

export function androidBuild(version: string): string {
  return `// app/build.gradle
dependencies {
  implementation files('libs/appwarden-android-${version}.jar')
}

<!-- AndroidManifest.xml -->
<uses-permission android:name="android.permission.INTERNET" />
<uses-permission android:name="android.permission.ACCESS_NETWORK_STATE" />`
}

export function androidStart(endpoint: string, key: string): string {
  return `import io.appwarden.sdk.AppWarden;
import io.appwarden.sdk.Config;

public class App extends Application {
  @Override
  public void onCreate() {
    super.onCreate();
    AppWarden.start(this, new Config("${endpoint}", "${key}")
        .channel("official")
        .genuine(BuildConfig.APPLICATION_ID, "SHA-256 of your release certificate"));
  }
}`
}

export const ANDROID_CONSENT = `AppWarden.consent();            // the user agreed
AppWarden.setUser("user-1024"); // optional; null when he signs out
AppWarden.breadcrumb("page", "checkout");

try {
  pay();
} catch (PaymentException error) {
  AppWarden.capture(error);
}

AppWarden.withdraw();           // the user took it back`

export function serverPost(endpoint: string, id: string): string {
  const event: WireEvent = {
    event_id: id,
    type: 'risk',
    device_id: 'gateway-test-1',
    risk_type: 'automation',
    action: 'report',
    platform: 'web',
    app_version: '1.0.0',
    client_ip: '203.0.113.10',
  }
  return `curl -X POST '${endpoint}${COLLECT_EVENTS_PATH}' \\
  -H "Authorization: Bearer $APPWARDEN_SERVER_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify([event])}'`
}

export function serverMany(endpoint: string): string {
  return `gzip -c events.ndjson | curl -X POST '${endpoint}${COLLECT_EVENTS_PATH}' \\
  -H "Authorization: Bearer $APPWARDEN_SERVER_KEY" \\
  -H 'Content-Type: application/x-ndjson' \\
  -H 'Content-Encoding: gzip' \\
  --data-binary @-`
}
