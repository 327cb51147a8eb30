# Wraps a data key (AES-256-GCM: initial vector of 12 bytes, then the rest) under a key that AndroidKeyStore makes and does not give away. Android before
# 6 does not have what it names.
.class final Lappwarden/preferences/DeviceKey;
.super Ljava/lang/Object;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method static wrap([B)[B
    .locals 3
    invoke-static {}, Lappwarden/preferences/DeviceKey;->found()Ljava/security/Key;
    move-result-object v0
    if-nez v0, :found
    invoke-static {}, Lappwarden/preferences/DeviceKey;->made()Ljava/security/Key;
    move-result-object v0
    :found
    invoke-static {}, Lappwarden/preferences/DeviceKey;->cipher()Ljavax/crypto/Cipher;
    move-result-object v1
    const/4 v2, 0x1
    invoke-virtual {v1, v2, v0}, Ljavax/crypto/Cipher;->init(ILjava/security/Key;)V
    invoke-virtual {v1, p0}, Ljavax/crypto/Cipher;->doFinal([B)[B
    move-result-object v0
    new-instance v2, Ljava/io/ByteArrayOutputStream;
    invoke-direct {v2}, Ljava/io/ByteArrayOutputStream;-><init>()V
    invoke-virtual {v1}, Ljavax/crypto/Cipher;->getIV()[B
    move-result-object v1
    invoke-virtual {v2, v1}, Ljava/io/ByteArrayOutputStream;->write([B)V
    invoke-virtual {v2, v0}, Ljava/io/ByteArrayOutputStream;->write([B)V
    invoke-virtual {v2}, Ljava/io/ByteArrayOutputStream;->toByteArray()[B
    move-result-object v0
    return-object v0
.end method

.method static unwrap([B)[B
    .locals 6
    const/4 v0, 0x0
    const/16 v1, 0xc
    invoke-static {p0, v0, v1}, Ljava/util/Arrays;->copyOfRange([BII)[B
    move-result-object v0
    array-length v2, p0
    invoke-static {p0, v1, v2}, Ljava/util/Arrays;->copyOfRange([BII)[B
    move-result-object v1
    new-instance v2, Ljavax/crypto/spec/GCMParameterSpec;
    const/16 v3, 0x80
    invoke-direct {v2, v3, v0}, Ljavax/crypto/spec/GCMParameterSpec;-><init>(I[B)V
    invoke-static {}, Lappwarden/preferences/DeviceKey;->found()Ljava/security/Key;
    move-result-object v0
    invoke-static {}, Lappwarden/preferences/DeviceKey;->cipher()Ljavax/crypto/Cipher;
    move-result-object v3
    const/4 v4, 0x2
    invoke-virtual {v3, v4, v0, v2}, Ljavax/crypto/Cipher;->init(ILjava/security/Key;Ljava/security/spec/AlgorithmParameterSpec;)V
    invoke-virtual {v3, v1}, Ljavax/crypto/Cipher;->doFinal([B)[B
    move-result-object v0
    return-object v0
.end method

.method private static cipher()Ljavax/crypto/Cipher;
    .locals 1
    const-string v0, "AES/GCM/NoPadding"
    invoke-static {v0}, Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;
    move-result-object v0
    return-object v0
.end method

# Null where there is none.
.method private static found()Ljava/security/Key;
    .locals 3
    const-string v0, "AndroidKeyStore"
    invoke-static {v0}, Ljava/security/KeyStore;->getInstance(Ljava/lang/String;)Ljava/security/KeyStore;
    move-result-object v0
    const/4 v1, 0x0
    invoke-virtual {v0, v1}, Ljava/security/KeyStore;->load(Ljava/security/KeyStore$LoadStoreParameter;)V
    const-string v2, "preferences.key"
    invoke-virtual {v0, v2, v1}, Ljava/security/KeyStore;->getKey(Ljava/lang/String;[C)Ljava/security/Key;
    move-result-object v0
    return-object v0
.end method

.method private static made()Ljava/security/Key;
    .locals 5
    new-instance v0, Landroid/security/keystore/KeyGenParameterSpec$Builder;
    const-string v1, "preferences.key"
    # PURPOSE_ENCRYPT and PURPOSE_DECRYPT
    const/4 v2, 0x3
    invoke-direct {v0, v1, v2}, Landroid/security/keystore/KeyGenParameterSpec$Builder;-><init>(Ljava/lang/String;I)V
    const/4 v1, 0x1
    new-array v2, v1, [Ljava/lang/String;
    const/4 v3, 0x0
    const-string v4, "GCM"
    aput-object v4, v2, v3
    invoke-virtual {v0, v2}, Landroid/security/keystore/KeyGenParameterSpec$Builder;->setBlockModes([Ljava/lang/String;)Landroid/security/keystore/KeyGenParameterSpec$Builder;
    new-array v2, v1, [Ljava/lang/String;
    const-string v4, "NoPadding"
    aput-object v4, v2, v3
    invoke-virtual {v0, v2}, Landroid/security/keystore/KeyGenParameterSpec$Builder;->setEncryptionPaddings([Ljava/lang/String;)Landroid/security/keystore/KeyGenParameterSpec$Builder;
    const/16 v2, 0x100
    invoke-virtual {v0, v2}, Landroid/security/keystore/KeyGenParameterSpec$Builder;->setKeySize(I)Landroid/security/keystore/KeyGenParameterSpec$Builder;
    invoke-virtual {v0}, Landroid/security/keystore/KeyGenParameterSpec$Builder;->build()Landroid/security/keystore/KeyGenParameterSpec;
    move-result-object v0
    const-string v1, "AES"
    const-string v2, "AndroidKeyStore"
    invoke-static {v1, v2}, Ljavax/crypto/KeyGenerator;->getInstance(Ljava/lang/String;Ljava/lang/String;)Ljavax/crypto/KeyGenerator;
    move-result-object v1
    invoke-virtual {v1, v0}, Ljavax/crypto/KeyGenerator;->init(Ljava/security/spec/AlgorithmParameterSpec;)V
    invoke-virtual {v1}, Ljavax/crypto/KeyGenerator;->generateKey()Ljavax/crypto/SecretKey;
    move-result-object v0
    return-object v0
.end method
