/**
 * The system decides first; what it refuses stays refused. With a domain-config in the network security configuration
 * the system refuses calls without the host: extend X509ExtendedTrustManager then, and pass socket or engine on.
 */
class StrictTrust(private val system: X509TrustManager, private val issuer: X500Principal) : X509TrustManager by system {
    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
        system.checkServerTrusted(chain, authType)
        // Only the leaf: further certificates are what the other side sent along, part of the verified path or not
        if (chain[0].issuerX500Principal != issuer) throw CertificateException("issuer")
    }
}
