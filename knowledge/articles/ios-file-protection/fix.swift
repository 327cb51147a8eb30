import Foundation

func save(_ data: Data, name: String) throws {
    let folder = try FileManager.default.url(for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    try data.write(to: folder.appendingPathComponent(name), options: [.atomic, .completeFileProtection])
}
