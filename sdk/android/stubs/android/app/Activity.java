package android.app;

import android.content.Context;
import android.view.View;
import android.view.ViewGroup;

/** Signature only, to compile against: on a phone Android has the class. */
public abstract class Activity extends Context {
  public void addContentView(View view, ViewGroup.LayoutParams params) {
    throw new UnsupportedOperationException();
  }

  public void finishAffinity() {
    throw new UnsupportedOperationException();
  }
}
