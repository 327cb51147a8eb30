import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

final class Unzip {
    private Unzip() {}

    /** Unpacks below a folder; throws where an entry leads out of it or a limit is passed. */
    static void into(InputStream input, File folder, long mostBytes, int mostEntries) throws IOException {
        String root = folder.getCanonicalPath() + File.separator;
        byte[] buffer = new byte[8192];
        long total = 0;
        int entries = 0;
        try (ZipInputStream zip = new ZipInputStream(input)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (++entries > mostEntries) throw new IOException("too many entries");
                File file = new File(folder, entry.getName()).getCanonicalFile();
                if (!(file.getPath() + File.separator).startsWith(root)) throw new IOException("outside the folder");
                if (entry.isDirectory()) continue;
                File parent = file.getParentFile();
                if (!parent.isDirectory() && !parent.mkdirs()) throw new IOException("folder");
                try (OutputStream output = new FileOutputStream(file)) {
                    for (int count = zip.read(buffer); count >= 0; count = zip.read(buffer)) {
                        total += count;
                        if (total > mostBytes) throw new IOException("too large");
                        output.write(buffer, 0, count);
                    }
                }
            }
        }
    }
}
