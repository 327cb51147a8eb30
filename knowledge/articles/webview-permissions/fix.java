import android.webkit.PermissionRequest;
import java.util.Arrays;

final class PagePermission {
    private PagePermission() {}

    /** Whether the user may be asked: our own page, and the camera among what it wants. */
    static boolean mayAsk(PermissionRequest request) {
        boolean ours = "https".equals(request.getOrigin().getScheme()) && "m.example.com".equals(request.getOrigin().getHost());
        return ours && Arrays.asList(request.getResources()).contains(PermissionRequest.RESOURCE_VIDEO_CAPTURE);
    }

    static void grantCamera(PermissionRequest request) {
        request.grant(new String[] {PermissionRequest.RESOURCE_VIDEO_CAPTURE});
    }
}
