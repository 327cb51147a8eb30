import CoreLocation

final class City: NSObject, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private var wanted = false
    func ask() {
        wanted = true
        manager.delegate = self
        manager.desiredAccuracy = kCLLocationAccuracyReduced
        if manager.authorizationStatus == .notDetermined { manager.requestWhenInUseAuthorization() } else { locate() }
    }
    private func locate() {
        guard wanted, [.authorizedWhenInUse, .authorizedAlways].contains(manager.authorizationStatus) else { return }
        wanted = false
        manager.requestLocation()
    }
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { locate() }
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {}
}
