keytool -genkeypair -keystore release.p12 -storetype PKCS12 -alias release \
  -keyalg RSA -keysize 4096 -sigalg SHA256withRSA -validity 11000
apksigner rotate --out lineage --old-signer --ks old.p12 --new-signer --ks release.p12
apksigner sign --ks old.p12 --next-signer --ks release.p12 --lineage lineage app-release.apk
