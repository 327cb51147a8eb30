import UIKit

func openPayment(_ url: URL, otherwise page: URL) {
    UIApplication.shared.open(url, options: [:]) { done in
        if !done { UIApplication.shared.open(page) }
    }
}
