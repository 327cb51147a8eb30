import SQLite3

func titles(in db: OpaquePointer, containing word: String) -> [String] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(db, "SELECT title FROM note WHERE instr(title, ?1) > 0", -1, &statement, nil) == SQLITE_OK
    else { return [] }
    defer { sqlite3_finalize(statement) }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(statement, 1, word, -1, transient)
    var found: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW { found.append(String(cString: sqlite3_column_text(statement, 0))) }
    return found
}
