package android.widget;

import android.content.Context;
import android.view.View;

/** Signature only, to compile against: on a phone Android has the class. */
public class TextView extends View {
  public TextView(Context context) {
    throw new UnsupportedOperationException();
  }

  public final void setText(CharSequence text) {
    throw new UnsupportedOperationException();
  }

  public void setTextSize(float size) {
    throw new UnsupportedOperationException();
  }

  public void setTextColor(int color) {
    throw new UnsupportedOperationException();
  }

  public void setGravity(int gravity) {
    throw new UnsupportedOperationException();
  }
}
