import java.io.File;
import java.io.IOException;

final class TempFile implements AutoCloseable {
    final File file;

    /** A file that lives as long as the block in which it is used. */
    TempFile(File cacheDir) throws IOException {
        file = File.createTempFile("work", null, cacheDir);
    }

    /** Takes back what an older version gave to others. */
    static void makePrivate(File file) {
        file.setReadable(false, false);
        file.setWritable(false, false);
        file.setReadable(true, true);
        file.setWritable(true, true);
    }

    @Override
    public void close() {
        file.delete();
    }
}
