import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;

final class SharedFolder {
    private final File root;

    SharedFolder(File root) throws IOException {
        this.root = root.getCanonicalFile();
    }

    /** The file of this name in the folder; whatever leads out of it is 'not found'. */
    File find(String name) throws IOException {
        File file = new File(root, name).getCanonicalFile();
        if (!file.getPath().startsWith(root.getPath() + File.separator)) throw new FileNotFoundException();
        return file;
    }
}
