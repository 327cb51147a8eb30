import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;

final class SignedFile {
    private SignedFile() {}

    /** The content of a file from outside, if the publisher signed it; `most` bounds its size. */
    static byte[] read(File file, byte[] signature, PublicKey publisher, long most) throws IOException, GeneralSecurityException {
        if (file.length() > most) throw new IOException("too large");
        // java.nio.file: Android 8 and later
        byte[] bytes = Files.readAllBytes(file.toPath());
        Signature check = Signature.getInstance("SHA256withECDSA");
        check.initVerify(publisher);
        check.update(bytes);
        if (!check.verify(signature)) throw new GeneralSecurityException("signature");
        return bytes;
    }
}
