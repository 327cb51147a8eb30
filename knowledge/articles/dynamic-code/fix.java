import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;

final class Plugin {
    private Plugin() {}

    /** Throws unless the publisher signed exactly these bytes as this version, and it is no older one. */
    static void require(byte[] bytes, long version, byte[] signature, PublicKey publisher, long lastVersion) throws GeneralSecurityException {
        if (version < lastVersion) throw new GeneralSecurityException("older than the last one");
        Signature check = Signature.getInstance("SHA256withECDSA");
        check.initVerify(publisher);
        check.update(java.nio.ByteBuffer.allocate(8).putLong(version).array());
        check.update(bytes);
        if (!check.verify(signature)) throw new GeneralSecurityException("signature");
    }
}
