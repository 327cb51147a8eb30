package android.content.pm;

public abstract class PackageManager {
    public static final int SIGNATURE_MATCH = 0;
    public static final int PERMISSION_GRANTED = 0;
    public static final int GET_SIGNING_CERTIFICATES = 0x08000000;
    public static class NameNotFoundException extends Exception {}
    public abstract String[] getPackagesForUid(int uid);
    public abstract int checkSignatures(String one, String other);
    public abstract PackageInfo getPackageInfo(String name, int flags) throws NameNotFoundException;
}
