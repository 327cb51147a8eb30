import Foundation

func search(_ phone: String, token: String) throws -> URLRequest {
    var request = URLRequest(url: URL(string: "https://api.example.com/v1/orders/search")!)
    request.httpMethod = "POST"
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    request.httpBody = try JSONEncoder().encode(["phone": phone])
    return request
}
