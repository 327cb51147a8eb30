import Foundation
import MachO

func injectedImages() -> [String] {
    (0..<_dyld_image_count()).compactMap { _dyld_get_image_name($0).map { String(cString: $0) } }
        .filter { !$0.hasPrefix("/usr/lib/") && !$0.hasPrefix("/System/") && !$0.hasPrefix(Bundle.main.bundlePath) }
}
