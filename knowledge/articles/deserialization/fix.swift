import Foundation

final class Settings: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let name: String
    init(name: String) { self.name = name }
    required init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = name as String
    }
    func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "name") }
}

func read(_ data: Data) throws -> Settings? {
    try NSKeyedUnarchiver.unarchivedObject(ofClass: Settings.self, from: data)
}
