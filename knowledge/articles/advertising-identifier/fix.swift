import AppTrackingTransparency

func askWhenVisible(then start: @escaping (Bool) -> Void) {
    ATTrackingManager.requestTrackingAuthorization { status in
        DispatchQueue.main.async { start(status == .authorized) }
    }
}
