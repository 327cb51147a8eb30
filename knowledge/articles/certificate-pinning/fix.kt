val client = OkHttpClient.Builder()
    .certificatePinner(
        CertificatePinner.Builder()
            .add("api.example.com", "sha256/<base64 of the key in use>")
            .add("api.example.com", "sha256/<base64 of the backup key>")
            .build(),
    )
    .build()
