import android.content.Intent;
import java.net.URISyntaxException;

final class PageIntent {
    private PageIntent() {}

    /** An intent of a page that can reach browsable screens only, or null for any other text. */
    static Intent parse(String uri) {
        try {
            Intent intent = Intent.parseUri(uri, Intent.URI_INTENT_SCHEME);
            intent.addCategory(Intent.CATEGORY_BROWSABLE);
            intent.setComponent(null);
            intent.setSelector(null);
            intent.setFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
            return intent;
        } catch (URISyntaxException bad) {
            return null;
        }
    }
}
