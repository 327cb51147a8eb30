package android.content.pm;

public class PackageInfo {
    public SigningInfo signingInfo;
}
