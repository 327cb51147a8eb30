// swift-tools-version:5.5
// Not compiled here 不在此处编译: this repository is built without a Swift compiler. Run the published vectors before use (README.md).
import PackageDescription

let package = Package(
  name: "AppWardenSession",
  platforms: [.iOS(.v13), .macOS(.v10_15)],
  products: [.library(name: "AppWardenSession", targets: ["AppWardenSession"])],
  targets: [.target(name: "AppWardenSession")]
)
