import android.view.MotionEvent;
import android.view.View;

final class ObscuredTouches {
    private ObscuredTouches() {}

    /** Drops touches through foreign windows and shows the user why nothing happens. */
    static void refuse(View button, Runnable tell) {
        button.setOnTouchListener((view, event) -> {
            int flags = MotionEvent.FLAG_WINDOW_IS_OBSCURED | MotionEvent.FLAG_WINDOW_IS_PARTIALLY_OBSCURED;
            boolean covered = (event.getFlags() & flags) != 0;
            if (covered && event.getAction() == MotionEvent.ACTION_UP) tell.run();
            return covered;
        });
    }
}
