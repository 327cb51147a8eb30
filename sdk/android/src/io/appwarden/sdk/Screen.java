package io.appwarden.sdk;

import android.app.Activity;
import android.app.Application;
import android.graphics.Color;
import android.os.Bundle;
import android.os.Handler;
import android.os.Process;
import android.view.Gravity;
import android.view.ViewGroup;
import android.widget.TextView;
import android.widget.Toast;
import java.util.Locale;
import java.util.Map;

/** Does what the policy says where the app does not: a message, a screen that stays, an app that ends. */
final class Screen implements Application.ActivityLifecycleCallbacks {
  private static final long READING_MS = 3000;
  private final Application application;
  private final Handler main;
  private final RiskListener listener;
  private Activity current;
  private String blocked;

  Screen(Application application, Handler main, RiskListener listener) {
    this.application = application;
    this.main = main;
    this.listener = listener;
    application.registerActivityLifecycleCallbacks(this);
  }

  void act(final String risk, final String action, final String policyText, final Map<String, Object> evidence) {
    final String text = policyText.isEmpty() ? ownText() : policyText;
    main.post(new Runnable() {
      @Override
      public void run() {
        if (listener != null && listener.onRisk(risk, action, text, evidence)) return;
        if (action.equals("warn")) Toast.makeText(application, text, Toast.LENGTH_LONG).show();
        else block(text);
        if (action.equals("exit")) main.postDelayed(new Runnable() {
          @Override
          public void run() {
            if (current != null) current.finishAffinity();
            Process.killProcess(Process.myPid());
          }
        }, READING_MS);
      }
    });
  }

  private void block(String text) {
    blocked = text;
    if (current != null) cover(current);
  }

  /** A view over everything that takes all touches. */
  private void cover(Activity activity) {
    TextView view = new TextView(activity);
    view.setText(blocked);
    view.setTextSize(18);
    view.setTextColor(Color.WHITE);
    view.setBackgroundColor(Color.rgb(20, 24, 31));
    view.setGravity(Gravity.CENTER);
    view.setPadding(48, 48, 48, 48);
    view.setClickable(true);
    view.setFocusable(true);
    view.requestFocus();
    activity.addContentView(view, new ViewGroup.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.MATCH_PARENT));
  }

  private static String ownText() {
    boolean chinese = Locale.getDefault().getLanguage().equals("zh");
    return chinese ? "检测到不安全的运行环境，请注意保护您的信息" : "This environment is not safe; please protect your data";
  }

  @Override
  public void onActivityResumed(Activity activity) {
    current = activity;
    if (blocked != null) cover(activity);
  }

  @Override
  public void onActivityPaused(Activity activity) {
    if (current == activity) current = null;
  }

  @Override
  public void onActivityCreated(Activity activity, Bundle state) {}

  @Override
  public void onActivityStarted(Activity activity) {}

  @Override
  public void onActivityStopped(Activity activity) {}

  @Override
  public void onActivitySaveInstanceState(Activity activity, Bundle state) {}

  @Override
  public void onActivityDestroyed(Activity activity) {}
}
