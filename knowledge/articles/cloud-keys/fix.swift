import Foundation

func upload(_ file: URL, to signed: URL) async throws {
    var request = URLRequest(url: signed)
    request.httpMethod = "PUT"
    let (_, response) = try await URLSession.shared.upload(for: request, fromFile: file)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
}
