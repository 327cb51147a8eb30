package android.os;

public class Build {
    public static final String FINGERPRINT = "";
    public static final String HARDWARE = "";
    public static final String TAGS = "";
    public static class VERSION {
        public static final int SDK_INT = 0;
    }
}
