import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Files;

final class SignedUpload {
    private SignedUpload() {}

    /** Sends a file to an address that our server has just signed for this one object. */
    static void put(URL signed, File file) throws IOException {
        HttpURLConnection http = (HttpURLConnection) signed.openConnection();
        http.setRequestMethod("PUT");
        http.setDoOutput(true);
        http.setFixedLengthStreamingMode(file.length());
        try (OutputStream output = http.getOutputStream()) {
            // java.nio.file: Android 8 and later
            Files.copy(file.toPath(), output);
        }
        if (http.getResponseCode() / 100 != 2) throw new IOException("status " + http.getResponseCode());
    }
}
