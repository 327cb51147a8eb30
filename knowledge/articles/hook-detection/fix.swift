import Foundation
import MachO

/// Libraries that are neither of the system nor, by file name, in `built`: the app and its frameworks, as the build listed them.
func foreignImages(built: Set<String>) -> [String] {
    let system = ["/usr/lib/", "/System/", "/private/preboot/Cryptexes/"]
    let bundle = Bundle.main.bundleURL.resolvingSymlinksInPath().path + "/"
    return (0..<_dyld_image_count()).compactMap { _dyld_get_image_name($0).map { String(cString: $0) } }
        .filter { image in
            if system.contains(where: { image.hasPrefix($0) }) { return false }
            let file = URL(fileURLWithPath: image).resolvingSymlinksInPath()
            return !(file.path.hasPrefix(bundle) && built.contains(file.lastPathComponent))
        }
}
