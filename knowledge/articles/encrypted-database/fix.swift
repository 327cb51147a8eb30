import Foundation

func protect(_ database: URL) throws {
    for suffix in ["", "-wal", "-shm"] {
        let path = database.path + suffix
        if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.setAttributes([.protectionKey: FileProtectionType.complete], ofItemAtPath: path)
        }
    }
}
