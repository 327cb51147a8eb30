fun wrap(server: PublicKey, session: ByteArray): ByteArray {
    val oaep = OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT)
    return Cipher.getInstance("RSA/ECB/OAEPPadding").run {
        init(Cipher.ENCRYPT_MODE, server, oaep)
        doFinal(session)
    }
}
