import UIKit

// Shared by the apps of one vendor, reset when all of them are removed
let identifier = UIDevice.current.identifierForVendor
