package android.database.sqlite;

public final class SQLiteDatabase {
    public android.database.Cursor query(String table, String[] columns, String where, String[] args, String group, String having, String order) { return null; }
}
