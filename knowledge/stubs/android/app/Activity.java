package android.app;

public abstract class Activity extends android.content.Context {
    public void startActivity(android.content.Intent intent) {}
}
