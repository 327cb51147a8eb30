package android.content;

public class Intent {
    public static final String CATEGORY_BROWSABLE = "android.intent.category.BROWSABLE";
    public static final int FLAG_GRANT_READ_URI_PERMISSION = 1;
    public static final int FLAG_ACTIVITY_NEW_TASK = 0x10000000;
    public static final int URI_INTENT_SCHEME = 1;
    public Intent() {}
    public Intent(String action) {}
    public Intent(Context context, Class<?> type) {}
    public static Intent parseUri(String uri, int flags) throws java.net.URISyntaxException { return null; }
    public String getStringExtra(String name) { return null; }
    public Intent putExtra(String name, String value) { return this; }
    public Intent setPackage(String name) { return this; }
    public Intent addCategory(String category) { return this; }
    public Intent setComponent(ComponentName component) { return this; }
    public void setSelector(Intent selector) {}
    public Intent setFlags(int flags) { return this; }
    public android.net.Uri getData() { return null; }
}
