# Encrypts entries under 32 random bytes. The name of an entry in the file is a mark and an HMAC-SHA-256 of its own, the value an initial counter (16 bytes),
# AES-256-CTR of its content, and an HMAC-SHA-256 (32) over the name in the file and both, in base64. Keys are HMACs under the bytes: of 1 the cipher's, of 2
# that of the value, of 3 that of the name. Versions of the app read each other's files: none of this changes from build to build.
.class final Lappwarden/preferences/DataKey;
.super Ljava/lang/Object;
.field private final cipher:Ljava/security/Key;
.field private final check:Ljava/security/Key;
.field private final name:Ljava/security/Key;

.method constructor <init>([B)V
    .locals 2
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    const/4 v0, 0x1
    const-string v1, "AES"
    invoke-static {p1, v0, v1}, Lappwarden/preferences/DataKey;->derive([BILjava/lang/String;)Ljava/security/Key;
    move-result-object v0
    iput-object v0, p0, Lappwarden/preferences/DataKey;->cipher:Ljava/security/Key;
    const/4 v0, 0x2
    const-string v1, "HmacSHA256"
    invoke-static {p1, v0, v1}, Lappwarden/preferences/DataKey;->derive([BILjava/lang/String;)Ljava/security/Key;
    move-result-object v0
    iput-object v0, p0, Lappwarden/preferences/DataKey;->check:Ljava/security/Key;
    const/4 v0, 0x3
    invoke-static {p1, v0, v1}, Lappwarden/preferences/DataKey;->derive([BILjava/lang/String;)Ljava/security/Key;
    move-result-object v0
    iput-object v0, p0, Lappwarden/preferences/DataKey;->name:Ljava/security/Key;
    return-void
.end method

.method private static derive([BILjava/lang/String;)Ljava/security/Key;
    .locals 4
    new-instance v0, Ljavax/crypto/spec/SecretKeySpec;
    const-string v1, "HmacSHA256"
    invoke-direct {v0, p0, v1}, Ljavax/crypto/spec/SecretKeySpec;-><init>([BLjava/lang/String;)V
    invoke-static {v0}, Lappwarden/preferences/DataKey;->mac(Ljava/security/Key;)Ljavax/crypto/Mac;
    move-result-object v0
    const/4 v1, 0x1
    new-array v1, v1, [B
    const/4 v2, 0x0
    int-to-byte v3, p1
    aput-byte v3, v1, v2
    invoke-virtual {v0, v1}, Ljavax/crypto/Mac;->doFinal([B)[B
    move-result-object v0
    new-instance v1, Ljavax/crypto/spec/SecretKeySpec;
    invoke-direct {v1, v0, p2}, Ljavax/crypto/spec/SecretKeySpec;-><init>([BLjava/lang/String;)V
    return-object v1
.end method

.method private static mac(Ljava/security/Key;)Ljavax/crypto/Mac;
    .locals 1
    const-string v0, "HmacSHA256"
    invoke-static {v0}, Ljavax/crypto/Mac;->getInstance(Ljava/lang/String;)Ljavax/crypto/Mac;
    move-result-object v0
    invoke-virtual {v0, p0}, Ljavax/crypto/Mac;->init(Ljava/security/Key;)V
    return-object v0
.end method

.method private static bytes(Ljava/lang/String;)[B
    .locals 1
    const-string v0, "UTF-8"
    invoke-virtual {p0, v0}, Ljava/lang/String;->getBytes(Ljava/lang/String;)[B
    move-result-object v0
    return-object v0
.end method

.method static random(I)[B
    .locals 2
    new-array v0, p0, [B
    new-instance v1, Ljava/security/SecureRandom;
    invoke-direct {v1}, Ljava/security/SecureRandom;-><init>()V
    invoke-virtual {v1, v0}, Ljava/security/SecureRandom;->nextBytes([B)V
    return-object v0
.end method

# By which names in the file begin.
.method static mark()Ljava/lang/String;
    .locals 1
    const-string v0, "q7Zk3vX9:"
    return-object v0
.end method

# Android allows null as a name.
.method nameOf(Ljava/lang/String;)Ljava/lang/String;
    .locals 3
    const-string v0, ""
    if-eqz p1, :named
    const-string v0, ":"
    invoke-virtual {v0, p1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    :named
    iget-object v1, p0, Lappwarden/preferences/DataKey;->name:Ljava/security/Key;
    invoke-static {v1}, Lappwarden/preferences/DataKey;->mac(Ljava/security/Key;)Ljavax/crypto/Mac;
    move-result-object v1
    invoke-static {v0}, Lappwarden/preferences/DataKey;->bytes(Ljava/lang/String;)[B
    move-result-object v0
    invoke-virtual {v1, v0}, Ljavax/crypto/Mac;->doFinal([B)[B
    move-result-object v0
    const/16 v1, 0xb
    invoke-static {v0, v1}, Landroid/util/Base64;->encodeToString([BI)Ljava/lang/String;
    move-result-object v0
    invoke-static {}, Lappwarden/preferences/DataKey;->mark()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v1, v0}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# Of the name in the file and so many bytes.
.method private checkOf(Ljava/lang/String;[BI)[B
    .locals 4
    iget-object v0, p0, Lappwarden/preferences/DataKey;->check:Ljava/security/Key;
    invoke-static {v0}, Lappwarden/preferences/DataKey;->mac(Ljava/security/Key;)Ljavax/crypto/Mac;
    move-result-object v0
    invoke-static {p1}, Lappwarden/preferences/DataKey;->bytes(Ljava/lang/String;)[B
    move-result-object v1
    const/4 v2, 0x0
    array-length v3, v1
    invoke-virtual {v0, v1, v2, v3}, Ljavax/crypto/Mac;->update([BII)V
    invoke-virtual {v0, p2, v2, p3}, Ljavax/crypto/Mac;->update([BII)V
    invoke-virtual {v0}, Ljavax/crypto/Mac;->doFinal()[B
    move-result-object v0
    return-object v0
.end method

# `mode`: 1 encrypts, 2 decrypts.
.method private crypt(I[B[B)[B
    .locals 3
    const-string v0, "AES/CTR/NoPadding"
    invoke-static {v0}, Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;
    move-result-object v0
    new-instance v1, Ljavax/crypto/spec/IvParameterSpec;
    invoke-direct {v1, p2}, Ljavax/crypto/spec/IvParameterSpec;-><init>([B)V
    iget-object v2, p0, Lappwarden/preferences/DataKey;->cipher:Ljava/security/Key;
    invoke-virtual {v0, p1, v2, v1}, Ljavax/crypto/Cipher;->init(ILjava/security/Key;Ljava/security/spec/AlgorithmParameterSpec;)V
    invoke-virtual {v0, p3}, Ljavax/crypto/Cipher;->doFinal([B)[B
    move-result-object v0
    return-object v0
.end method

.method seal(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 4
    new-instance v0, Ljava/io/ByteArrayOutputStream;
    invoke-direct {v0}, Ljava/io/ByteArrayOutputStream;-><init>()V
    const/16 v1, 0x10
    invoke-static {v1}, Lappwarden/preferences/DataKey;->random(I)[B
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/io/ByteArrayOutputStream;->write([B)V
    invoke-static {p2}, Lappwarden/preferences/DataKey;->bytes(Ljava/lang/String;)[B
    move-result-object v2
    const/4 v3, 0x1
    invoke-direct {p0, v3, v1, v2}, Lappwarden/preferences/DataKey;->crypt(I[B[B)[B
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/io/ByteArrayOutputStream;->write([B)V
    invoke-virtual {v0}, Ljava/io/ByteArrayOutputStream;->toByteArray()[B
    move-result-object v1
    array-length v2, v1
    invoke-direct {p0, p1, v1, v2}, Lappwarden/preferences/DataKey;->checkOf(Ljava/lang/String;[BI)[B
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/io/ByteArrayOutputStream;->write([B)V
    invoke-virtual {v0}, Ljava/io/ByteArrayOutputStream;->toByteArray()[B
    move-result-object v0
    const/16 v1, 0xb
    invoke-static {v0, v1}, Landroid/util/Base64;->encodeToString([BI)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# Null where another key encrypted it or it was changed.
.method open(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 6
    const/16 v0, 0xb
    invoke-static {p2, v0}, Landroid/util/Base64;->decode(Ljava/lang/String;I)[B
    move-result-object v0
    array-length v1, v0
    add-int/lit8 v2, v1, -0x20
    const/16 v3, 0x10
    if-lt v2, v3, :changed
    invoke-static {v0, v2, v1}, Ljava/util/Arrays;->copyOfRange([BII)[B
    move-result-object v1
    invoke-direct {p0, p1, v0, v2}, Lappwarden/preferences/DataKey;->checkOf(Ljava/lang/String;[BI)[B
    move-result-object v4
    invoke-static {v1, v4}, Ljava/util/Arrays;->equals([B[B)Z
    move-result v1
    if-eqz v1, :changed
    const/4 v1, 0x0
    invoke-static {v0, v1, v3}, Ljava/util/Arrays;->copyOfRange([BII)[B
    move-result-object v4
    invoke-static {v0, v3, v2}, Ljava/util/Arrays;->copyOfRange([BII)[B
    move-result-object v0
    const/4 v1, 0x2
    invoke-direct {p0, v1, v4, v0}, Lappwarden/preferences/DataKey;->crypt(I[B[B)[B
    move-result-object v0
    new-instance v1, Ljava/lang/String;
    const-string v2, "UTF-8"
    invoke-direct {v1, v0, v2}, Ljava/lang/String;-><init>([BLjava/lang/String;)V
    return-object v1
    :changed
    const/4 v0, 0x0
    return-object v0
.end method
