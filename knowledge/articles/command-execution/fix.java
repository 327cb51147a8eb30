import java.io.IOException;
import java.util.concurrent.TimeUnit;

final class Ping {
    private Ping() {}

    /** Whether the host answers within five seconds. A host cannot be an option: it begins with a letter or digit. */
    static boolean answers(String host) throws IOException, InterruptedException {
        if (!host.matches("[A-Za-z0-9][A-Za-z0-9.-]{0,252}")) throw new IllegalArgumentException("host");
        Process process = new ProcessBuilder("ping", "-c", "1", "-W", "3", "--", host).redirectErrorStream(true).start();
        try {
            return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
        } finally {
            process.destroy();
        }
    }
}
