import android.content.Intent;
import android.net.Uri;

final class Callback {
    private Callback() {}

    /** The code of a sign-in that we began ourselves, or null. */
    static String codeOf(Intent intent, String expectedState) {
        Uri uri = intent.getData();
        if (uri == null || !"https".equals(uri.getScheme()) || !"example.com".equals(uri.getHost())) return null;
        if (!"/callback".equals(uri.getPath()) || !expectedState.equals(uri.getQueryParameter("state"))) return null;
        String code = uri.getQueryParameter("code");
        return code != null && code.length() >= 8 && code.length() <= 512 ? code : null;
    }
}
