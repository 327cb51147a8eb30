import CoreLocation

func isSimulated(_ location: CLLocation) -> Bool {
    if #available(iOS 15, *) { return location.sourceInformation?.isSimulatedBySoftware ?? false }
    return false
}
