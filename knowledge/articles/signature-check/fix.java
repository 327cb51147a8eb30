import android.content.Context;
import android.content.pm.PackageManager;
import android.content.pm.Signature;
import android.content.pm.SigningInfo;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;

final class ReleaseCertificate {
    private ReleaseCertificate() {}

    /** Whether every certificate of this app is one of ours. From API 28; `trusted` holds SHA-256 in lower-case hexadecimal. */
    static boolean isOurs(Context context, Set<String> trusted) throws PackageManager.NameNotFoundException, NoSuchAlgorithmException {
        SigningInfo info = context.getPackageManager()
                .getPackageInfo(context.getPackageName(), PackageManager.GET_SIGNING_CERTIFICATES).signingInfo;
        if (info == null) return false;
        Signature[] all = info.hasMultipleSigners() ? info.getApkContentsSigners() : info.getSigningCertificateHistory();
        if (all == null || all.length == 0) return false;
        for (Signature one : all) if (!trusted.contains(sha256(one.toByteArray()))) return false;
        return true;
    }

    private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
        StringBuilder text = new StringBuilder();
        for (byte one : MessageDigest.getInstance("SHA-256").digest(bytes)) text.append(String.format("%02x", one));
        return text.toString();
    }
}
