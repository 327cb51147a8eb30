package android.view;

public interface WindowManager {
    class LayoutParams {
        public static final int FLAG_SECURE = 0x2000;
    }
}
