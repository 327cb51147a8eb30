val client = OkHttpClient.Builder()
    .certificatePinner(
        CertificatePinner.Builder()
            .add("api.example.com", "sha256/<base64 of the SHA-256 of the public key in use>")
            .add("api.example.com", "sha256/<base64 of the SHA-256 of the backup key>")
            .build(),
    )
    .build()
