import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.util.Set;

/** Reads old data of our own; every class in it must be listed. */
final class ListedObjects extends ObjectInputStream {
    private final Set<String> allowed;

    ListedObjects(InputStream input, Set<String> allowed) throws IOException {
        super(input);
        this.allowed = allowed;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass type) throws IOException, ClassNotFoundException {
        if (!allowed.contains(type.getName())) throw new InvalidClassException(type.getName());
        return super.resolveClass(type);
    }
}
