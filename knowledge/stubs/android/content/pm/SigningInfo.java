package android.content.pm;

public final class SigningInfo {
    public boolean hasMultipleSigners() { return false; }
    public Signature[] getApkContentsSigners() { return null; }
    public Signature[] getSigningCertificateHistory() { return null; }
}
