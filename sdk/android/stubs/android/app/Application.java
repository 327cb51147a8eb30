package android.app;

import android.content.Context;
import android.os.Bundle;

/** Signature only, to compile against: on a phone Android has the class. */
public abstract class Application extends Context {
  public void registerActivityLifecycleCallbacks(ActivityLifecycleCallbacks callbacks) {
    throw new UnsupportedOperationException();
  }

  public interface ActivityLifecycleCallbacks {
    void onActivityCreated(Activity activity, Bundle state);

    void onActivityStarted(Activity activity);

    void onActivityResumed(Activity activity);

    void onActivityPaused(Activity activity);

    void onActivityStopped(Activity activity);

    void onActivitySaveInstanceState(Activity activity, Bundle state);

    void onActivityDestroyed(Activity activity);
  }
}
