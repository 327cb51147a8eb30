import Foundation

func excludeFromBackup(_ file: URL) throws {
    var url = file
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try url.setResourceValues(values)
}
