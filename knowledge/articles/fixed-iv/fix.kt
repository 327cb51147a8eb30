fun nextNonce(): GCMParameterSpec = GCMParameterSpec(128, ByteArray(12).also { SecureRandom().nextBytes(it) })
