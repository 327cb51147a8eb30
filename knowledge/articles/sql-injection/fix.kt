private val columns = mapOf("_id" to "_id", "title" to "title")
private val orders = setOf("title ASC", "title DESC")

fun query(db: SQLiteDatabase, projection: Array<String>?, word: String, order: String?): Cursor {
    val builder = SQLiteQueryBuilder().apply {
        tables = "note"
        isStrict = true
        projectionMap = columns
    }
    val sort = order?.takeIf { it in orders } ?: "title ASC"
    val like = "%" + word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    return builder.query(db, projection, "title LIKE ? ESCAPE '\\'", arrayOf(like), null, null, sort)
}
