fun newToken(): String = Base64.encodeToString(
    ByteArray(32).also { SecureRandom().nextBytes(it) },
    Base64.URL_SAFE or Base64.NO_PADDING or Base64.NO_WRAP,
)
