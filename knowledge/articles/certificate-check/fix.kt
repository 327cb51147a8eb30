/** The system decides first; what it refuses stays refused. */
class StrictTrust(private val system: X509TrustManager, private val issuer: String) : X509TrustManager by system {
    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
        system.checkServerTrusted(chain, authType)
        if (chain.none { it.issuerX500Principal.name.contains(issuer) }) throw CertificateException("issuer")
    }
}
