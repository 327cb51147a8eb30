// Not compiled here 不在此处编译: this repository is built without a Swift compiler. Run the published vectors before use (README.md).
import Foundation

/// Why a request has no sealed response.
public enum SecureError: Error {
  /// The server ended the session; it did not execute the request, unless someone in the middle forged this answer.
  case refused
  case unknownKey
  case clock
  /// Bytes that the owner of the server key did not make.
  case forged
  /// An answer of something in front of the server.
  case plain(status: Int)
  /// No answer: the request may have been executed.
  case unreachable
}

public struct SecureResponse {
  public let status: Int
  public let contentType: String
  public let body: [UInt8]
}

/// The client for iOS 15 and later: sessions are made, renewed and ended by themselves.
@available(iOS 15, macOS 12, *)
public actor SecureClient {
  public struct ServerKey {
    let keyId: UInt32
    let publicKey: [UInt8]

    /// 65 bytes as base64url without padding. Nil for a malformed key.
    public init?(keyId: UInt32, publicKey: String) {
      guard keyId > 0, let bytes = Bytes.fromBase64url(publicKey), Sm2.isPoint(bytes) else { return nil }
      self.keyId = keyId
      self.publicKey = bytes
    }
  }

  private struct Live {
    let session: Session
    var sequence: UInt32 = 1
  }

  private let origin: String
  private var key: ServerKey
  private let reloadKey: (() async -> ServerKey?)?
  private let urlSession: URLSession
  private let random: RandomSource
  private let now: () -> Date
  private var offset: TimeInterval = 0
  private var live: Live?
  private var starting: Task<Void, Error>?

  /// `reloadKey` is asked where the server no longer knows the key.
  public init(
    origin: String, key: ServerKey, reloadKey: (() async -> ServerKey?)? = nil,
    configuration: URLSessionConfiguration = .ephemeral, random: @escaping RandomSource = secureRandom,
    now: @escaping () -> Date = { Date() }
  ) {
    self.origin = origin.hasSuffix("/") ? String(origin.dropLast()) : origin
    self.key = key
    self.reloadKey = reloadKey
    self.random = random
    self.now = now
    urlSession = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
  }

  /// `path` as it is written in a URL: percent-encoded, with its query. GET and HEAD are sent again by themselves after a refusal.
  public func request(
    _ method: String, _ path: String, contentType: String = "", body: [UInt8] = [], headers: [String: String] = [:]
  ) async throws -> SecureResponse {
    let isSafe = method == "GET" || method == "HEAD"
    var attempt = 0
    while true {
      try await ensureSession()
      do {
        return try await exchange(method, path, contentType, body, headers, inHeader: isSafe)
      } catch let error as SecureError {
        switch error {
        case .plain, .unreachable:
          throw error
        case .forged:
          live = nil
          throw error
        case .refused, .unknownKey, .clock:
          live = nil
          if attempt > 0 || !isSafe { throw error }
          attempt += 1
        }
      }
    }
  }

  /// Ends the session; the next request makes a new one.
  public func end() { live = nil }

  private func ensureSession() async throws {
    if let live = live, live.sequence <= Session.maxSequence, seconds() + 30 < live.session.expires { return }
    if starting == nil { starting = Task { try await start() } }
    defer { starting = nil }
    try await starting?.value
  }

  private func start() async throws {
    var corrected = false
    var reloaded = false
    while true {
      do {
        live = Live(session: try await handshake())
        return
      } catch SecureError.clock where !corrected {
        corrected = true
      } catch SecureError.unknownKey where !reloaded {
        reloaded = true
        guard let next = await reloadKey?() else { throw SecureError.unknownKey }
        key = next
      }
    }
  }

  private func handshake() async throws -> Session {
    let pending = PendingHandshake(keyId: key.keyId, publicKey: key.publicKey, now: seconds(), random: random)
    let headers = ["content-type": HttpBody.mediaType, "aw-sdk": "ios/1.0.0"]
    let (status, _, body) = try await send("POST", origin + HttpBody.handshakePath, headers, pending.hello)
    guard status == 200 else {
      if status == 400, let time = words(body)?["server_time"] as? Double {
        offset = time - now().timeIntervalSince1970
      }
      throw refusal(status, body)
    }
    guard let session = try? pending.finish(body) else { throw SecureError.forged }
    offset = TimeInterval(session.created) - now().timeIntervalSince1970
    return session
  }

  private func exchange(
    _ method: String, _ path: String, _ contentType: String, _ body: [UInt8], _ headers: [String: String],
    inHeader: Bool
  ) async throws -> SecureResponse {
    guard var used = live, let url = URLComponents(string: origin + (path.hasPrefix("/") ? path : "/" + path))
    else { throw Refusal.malformed }
    if inHeader && !body.isEmpty { throw Refusal.body }
    let rawPath = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
    let plaintext = try HttpBody.ofRequest(contentType: contentType, query: url.percentEncodedQuery ?? "", body: body)
    let sequence = used.sequence
    used.sequence += 1
    live = used
    let message = try used.session.sealRequest(
      plaintext, method: method, path: rawPath, sequence: sequence, time: seconds(), iv: random(16))
    var sent = headers
    if inHeader { sent[HttpBody.messageHeader] = Bytes.toBase64url(message) } else { sent["content-type"] = HttpBody.mediaType }
    var target = url
    target.percentEncodedQuery = nil
    let (status, answer, bytes) = try await send(method, target.string ?? "", sent, inHeader ? nil : message)
    var sealed: [UInt8]?
    if let text = answer.value(forHTTPHeaderField: HttpBody.messageHeader) {
      sealed = Bytes.fromBase64url(text)
    } else if answer.value(forHTTPHeaderField: "content-type") == HttpBody.mediaType {
      sealed = bytes
    }
    guard let opened = sealed else { throw refusal(status, bytes) }
    guard let plain = try? used.session.openResponse(opened, status: status, sequence: sequence),
      let inner = try? HttpBody.readResponse(plain)
    else { throw SecureError.forged }
    return SecureResponse(status: status, contentType: inner.contentType, body: inner.body)
  }

  private func send(_ method: String, _ text: String, _ headers: [String: String], _ body: [UInt8]?) async throws
    -> (Int, HTTPURLResponse, [UInt8])
  {
    guard let url = URL(string: text) else { throw Refusal.malformed }
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 20)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    if let body = body { request.httpBody = Data(body) }
    guard let (data, response) = try? await urlSession.data(for: request), let http = response as? HTTPURLResponse
    else { throw SecureError.unreachable }
    return (http.statusCode, http, [UInt8](data))
  }

  private func words(_ body: [UInt8]) -> [String: Any]? {
    guard body.count <= 200 else { return nil }
    return (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
  }

  private func refusal(_ status: Int, _ body: [UInt8]) -> SecureError {
    switch (status, words(body)?["error"] as? String) {
    case (400, "refused"): return .refused
    case (400, "clock"): return .clock
    case (409, "unknown_key"): return .unknownKey
    default: return .plain(status: status)
    }
  }

  private func seconds() -> UInt64 {
    UInt64(max(0, now().timeIntervalSince1970 + offset))
  }
}

/// The path is under the tag of the message: a redirect would be refused.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
