import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;

final class FileDigests {
    private final Map<String, byte[]> expected;

    /** `expected`: SHA-256 by name, out of a list whose signature was verified. */
    FileDigests(Map<String, byte[]> expected) {
        this.expected = expected;
    }

    boolean isGenuine(String name, InputStream content) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (InputStream input = new DigestInputStream(content, digest)) {
            byte[] buffer = new byte[8192];
            while (input.read(buffer) >= 0) continue;
        }
        byte[] wanted = expected.get(name);
        return wanted != null && MessageDigest.isEqual(wanted, digest.digest());
    }
}
