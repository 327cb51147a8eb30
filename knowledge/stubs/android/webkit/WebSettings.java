package android.webkit;

public abstract class WebSettings {
    public abstract void setAllowFileAccess(boolean allow);
    public abstract void setAllowContentAccess(boolean allow);
    @Deprecated public abstract void setAllowFileAccessFromFileURLs(boolean allow);
    @Deprecated public abstract void setAllowUniversalAccessFromFileURLs(boolean allow);
}
