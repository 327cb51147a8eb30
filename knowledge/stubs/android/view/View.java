package android.view;

public class View {
    public interface OnTouchListener {
        boolean onTouch(View view, MotionEvent event);
    }
    public void setOnTouchListener(OnTouchListener listener) {}
}
