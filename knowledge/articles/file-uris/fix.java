import android.net.Uri;

final class ChosenFile {
    private ChosenFile() {}

    /** Whether an address that another app returned may be opened; `own` is the host of our own provider. */
    static boolean isForeignContent(Uri uri, String own) {
        return uri != null && "content".equals(uri.getScheme()) && uri.getHost() != null && !own.equals(uri.getHost());
    }
}
