import Foundation

let configuration = URLSessionConfiguration.default
configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
let session = URLSession(configuration: configuration)
