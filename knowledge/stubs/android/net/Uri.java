package android.net;

public abstract class Uri {
    public abstract String getScheme();
    public abstract String getHost();
    public abstract String getPath();
    public abstract String getQueryParameter(String name);
}
