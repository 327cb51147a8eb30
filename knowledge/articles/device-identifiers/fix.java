import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.UUID;

final class InstallationId {
    private InstallationId() {}

    /** A random number of this installation; it says nothing about the device and ends with the app. */
    static String get(File privateFolder) throws IOException {
        File file = new File(privateFolder, "installation");
        // java.nio.file: Android 8 and later
        if (!file.exists()) Files.write(file.toPath(), UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
        return new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
    }
}
