import java.security.SecureRandom;
import java.util.Locale;

final class Tokens {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Tokens() {}

    /** 32 random bytes in hexadecimal. */
    static String next() {
        byte[] bytes = new byte[32];
        RANDOM.nextBytes(bytes);
        StringBuilder text = new StringBuilder();
        for (byte one : bytes) text.append(String.format(Locale.ROOT, "%02x", one));
        return text.toString();
    }

    /** A code of six digits, each value equally likely. */
    static String code() {
        return String.format(Locale.ROOT, "%06d", RANDOM.nextInt(1_000_000));
    }
}
