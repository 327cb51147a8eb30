import android.database.Cursor;
import android.database.sqlite.SQLiteDatabase;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

final class NoteSearch {
    private static final Set<String> ORDERS = new HashSet<>(Arrays.asList("title ASC", "title DESC"));

    private NoteSearch() {}

    /** Notes whose title holds the word; its wildcards are taken as they are written. */
    static Cursor find(SQLiteDatabase db, String word, String order) {
        String sort = ORDERS.contains(order) ? order : "title ASC";
        String like = "%" + word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%";
        return db.query("note", new String[] {"_id", "title"}, "title LIKE ? ESCAPE '\\'", new String[] {like}, null, null, sort);
    }
}
