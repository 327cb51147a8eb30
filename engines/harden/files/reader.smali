# Opens files of the package in place of AssetManager and Resources, and decrypts those that the engine encrypted. Such a file: mark of the build (16 bytes),
# HMAC-SHA-256 (32) of all that follows, initial counter (16), and AES-256-CTR of a zlib stream: length (32 bits, big endian) and content. Keys are HMACs
# under the secret of the build: of 0 the mark, of 1 the cipher's, of 2 the one under which the HMAC of the file's name is the key of its HMAC.
.class public final Lappwarden/files/Reader;
.super Ljava/lang/Object;

# Constants of the build, which the engine writes.
# 64 hexadecimal digits.
.field static secret:Ljava/lang/String; = ""
# Each between line feeds: paths below assets, and numbers of resources in hexadecimal digits.
.field static names:Ljava/lang/String; = ""
.field static ids:Ljava/lang/String; = ""
# Not empty where the app may also open files of other packages, which can have the same names and no mark.
.field static others:Ljava/lang/String; = ""

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public static open(Landroid/content/res/AssetManager;Ljava/lang/String;)Ljava/io/InputStream;
    .locals 2
    invoke-virtual {p0, p1}, Landroid/content/res/AssetManager;->open(Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v0
    sget-object v1, Lappwarden/files/Reader;->names:Ljava/lang/String;
    invoke-static {v1, p1}, Lappwarden/files/Reader;->holds(Ljava/lang/String;Ljava/lang/String;)Z
    move-result v1
    if-eqz v1, :open
    invoke-static {v0, p1}, Lappwarden/files/Reader;->decrypt(Ljava/io/InputStream;Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v0
    if-nez v0, :open
    invoke-virtual {p0, p1}, Landroid/content/res/AssetManager;->open(Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v0
    :open
    return-object v0
.end method

.method public static open(Landroid/content/res/AssetManager;Ljava/lang/String;I)Ljava/io/InputStream;
    .locals 2
    invoke-virtual {p0, p1, p2}, Landroid/content/res/AssetManager;->open(Ljava/lang/String;I)Ljava/io/InputStream;
    move-result-object v0
    sget-object v1, Lappwarden/files/Reader;->names:Ljava/lang/String;
    invoke-static {v1, p1}, Lappwarden/files/Reader;->holds(Ljava/lang/String;Ljava/lang/String;)Z
    move-result v1
    if-eqz v1, :open
    invoke-static {v0, p1}, Lappwarden/files/Reader;->decrypt(Ljava/io/InputStream;Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v0
    if-nez v0, :open
    invoke-virtual {p0, p1, p2}, Landroid/content/res/AssetManager;->open(Ljava/lang/String;I)Ljava/io/InputStream;
    move-result-object v0
    :open
    return-object v0
.end method

.method public static open(Landroid/content/res/Resources;I)Ljava/io/InputStream;
    .locals 1
    invoke-virtual {p0, p1}, Landroid/content/res/Resources;->openRawResource(I)Ljava/io/InputStream;
    move-result-object v0
    invoke-static {v0, p1}, Lappwarden/files/Reader;->resource(Ljava/io/InputStream;I)Ljava/io/InputStream;
    move-result-object v0
    if-nez v0, :open
    invoke-virtual {p0, p1}, Landroid/content/res/Resources;->openRawResource(I)Ljava/io/InputStream;
    move-result-object v0
    :open
    return-object v0
.end method

.method public static open(Landroid/content/res/Resources;ILandroid/util/TypedValue;)Ljava/io/InputStream;
    .locals 1
    invoke-virtual {p0, p1, p2}, Landroid/content/res/Resources;->openRawResource(ILandroid/util/TypedValue;)Ljava/io/InputStream;
    move-result-object v0
    invoke-static {v0, p1}, Lappwarden/files/Reader;->resource(Ljava/io/InputStream;I)Ljava/io/InputStream;
    move-result-object v0
    if-nez v0, :open
    invoke-virtual {p0, p1, p2}, Landroid/content/res/Resources;->openRawResource(ILandroid/util/TypedValue;)Ljava/io/InputStream;
    move-result-object v0
    :open
    return-object v0
.end method

# The stream that a resource gave, decrypted where it is one of ours; null as of decrypt. Callers expect the exception that Resources throws.
.method static resource(Ljava/io/InputStream;I)Ljava/io/InputStream;
    .locals 3
    invoke-static {p1}, Ljava/lang/Integer;->toHexString(I)Ljava/lang/String;
    move-result-object v0
    sget-object v1, Lappwarden/files/Reader;->ids:Ljava/lang/String;
    invoke-static {v1, v0}, Lappwarden/files/Reader;->holds(Ljava/lang/String;Ljava/lang/String;)Z
    move-result v1
    if-nez v1, :ours
    return-object p0
    :ours
    :reading
    invoke-static {p0, v0}, Lappwarden/files/Reader;->decrypt(Ljava/io/InputStream;Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v0
    :read
    return-object v0
    :failed
    move-exception v0
    new-instance v1, Landroid/content/res/Resources$NotFoundException;
    invoke-virtual {v0}, Ljava/lang/Throwable;->getMessage()Ljava/lang/String;
    move-result-object v2
    invoke-direct {v1, v2}, Landroid/content/res/Resources$NotFoundException;-><init>(Ljava/lang/String;)V
    throw v1
    .catch Ljava/io/IOException; {:reading .. :read} :failed
.end method

.method static holds(Ljava/lang/String;Ljava/lang/String;)Z
    .locals 2
    const-string v0, "\n"
    invoke-virtual {v0, p1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v1, v0}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z
    move-result v0
    return v0
.end method

# The content of a stream, which is closed; null where it is a file of another package.
.method static decrypt(Ljava/io/InputStream;Ljava/lang/String;)Ljava/io/InputStream;
    .locals 8
    invoke-static {p0}, Lappwarden/files/Reader;->all(Ljava/io/InputStream;)[B
    move-result-object v0
    invoke-virtual {p0}, Ljava/io/InputStream;->close()V
    sget-object v1, Lappwarden/files/Reader;->secret:Ljava/lang/String;
    invoke-static {v1}, Lappwarden/files/Reader;->bytes(Ljava/lang/String;)[B
    move-result-object v1
    array-length v2, v0
    const/16 v3, 0x40
    if-lt v2, v3, :unmarked
    new-instance v2, Ljava/io/ByteArrayInputStream;
    invoke-direct {v2, v0}, Ljava/io/ByteArrayInputStream;-><init>([B)V
    const/16 v3, 0x10
    invoke-static {v2, v3}, Lappwarden/files/Reader;->read(Ljava/io/InputStream;I)[B
    move-result-object v4
    const/4 v5, 0x0
    invoke-static {v1, v5}, Lappwarden/files/Reader;->derive([BI)[B
    move-result-object v5
    new-instance v6, Ljava/io/ByteArrayInputStream;
    invoke-direct {v6, v5}, Ljava/io/ByteArrayInputStream;-><init>([B)V
    invoke-static {v6, v3}, Lappwarden/files/Reader;->read(Ljava/io/InputStream;I)[B
    move-result-object v5
    invoke-static {v4, v5}, Ljava/util/Arrays;->equals([B[B)Z
    move-result v4
    if-eqz v4, :unmarked
    const/16 v4, 0x20
    invoke-static {v2, v4}, Lappwarden/files/Reader;->read(Ljava/io/InputStream;I)[B
    move-result-object v4
    const/4 v5, 0x2
    invoke-static {v1, v5}, Lappwarden/files/Reader;->derive([BI)[B
    move-result-object v5
    invoke-static {v5}, Lappwarden/files/Reader;->mac([B)Ljavax/crypto/Mac;
    move-result-object v5
    const-string v6, "UTF-8"
    invoke-virtual {p1, v6}, Ljava/lang/String;->getBytes(Ljava/lang/String;)[B
    move-result-object v6
    invoke-virtual {v5, v6}, Ljavax/crypto/Mac;->doFinal([B)[B
    move-result-object v5
    invoke-static {v5}, Lappwarden/files/Reader;->mac([B)Ljavax/crypto/Mac;
    move-result-object v5
    const/16 v6, 0x30
    array-length v7, v0
    sub-int/2addr v7, v6
    invoke-virtual {v5, v0, v6, v7}, Ljavax/crypto/Mac;->update([BII)V
    invoke-virtual {v5}, Ljavax/crypto/Mac;->doFinal()[B
    move-result-object v5
    invoke-static {v4, v5}, Ljava/util/Arrays;->equals([B[B)Z
    move-result v4
    if-eqz v4, :changed
    invoke-static {v2, v3}, Lappwarden/files/Reader;->read(Ljava/io/InputStream;I)[B
    move-result-object v3
    new-instance v4, Ljavax/crypto/spec/IvParameterSpec;
    invoke-direct {v4, v3}, Ljavax/crypto/spec/IvParameterSpec;-><init>([B)V
    const/4 v3, 0x1
    invoke-static {v1, v3}, Lappwarden/files/Reader;->derive([BI)[B
    move-result-object v3
    new-instance v5, Ljavax/crypto/spec/SecretKeySpec;
    const-string v6, "AES"
    invoke-direct {v5, v3, v6}, Ljavax/crypto/spec/SecretKeySpec;-><init>([BLjava/lang/String;)V
    const-string v6, "AES/CTR/NoPadding"
    invoke-static {v6}, Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;
    move-result-object v6
    const/4 v3, 0x2
    invoke-virtual {v6, v3, v5, v4}, Ljavax/crypto/Cipher;->init(ILjava/security/Key;Ljava/security/spec/AlgorithmParameterSpec;)V
    new-instance v4, Ljavax/crypto/CipherInputStream;
    invoke-direct {v4, v2, v6}, Ljavax/crypto/CipherInputStream;-><init>(Ljava/io/InputStream;Ljavax/crypto/Cipher;)V
    new-instance v2, Ljava/util/zip/InflaterInputStream;
    invoke-direct {v2, v4}, Ljava/util/zip/InflaterInputStream;-><init>(Ljava/io/InputStream;)V
    invoke-static {v2}, Lappwarden/files/Reader;->number(Ljava/io/InputStream;)I
    move-result v3
    invoke-static {v2, v3}, Lappwarden/files/Reader;->read(Ljava/io/InputStream;I)[B
    move-result-object v3
    # Frees the memory of the decompressor.
    invoke-virtual {v2}, Ljava/io/InputStream;->close()V
    new-instance v2, Ljava/io/ByteArrayInputStream;
    invoke-direct {v2, v3}, Ljava/io/ByteArrayInputStream;-><init>([B)V
    return-object v2
    :unmarked
    sget-object v2, Lappwarden/files/Reader;->others:Ljava/lang/String;
    invoke-virtual {v2}, Ljava/lang/String;->isEmpty()Z
    move-result v2
    if-nez v2, :changed
    const/4 v2, 0x0
    return-object v2
    :changed
    const-string v0, "The file "
    invoke-virtual {v0, p1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    const-string v1, " of this package was changed"
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lappwarden/files/Reader;->refusal(Ljava/lang/String;)Ljava/io/IOException;
    move-result-object v0
    throw v0
.end method

.method static refusal(Ljava/lang/String;)Ljava/io/IOException;
    .locals 1
    new-instance v0, Ljava/io/IOException;
    invoke-direct {v0, p0}, Ljava/io/IOException;-><init>(Ljava/lang/String;)V
    return-object v0
.end method

.method static all(Ljava/io/InputStream;)[B
    .locals 4
    new-instance v0, Ljava/io/ByteArrayOutputStream;
    invoke-direct {v0}, Ljava/io/ByteArrayOutputStream;-><init>()V
    const v1, 0x8000
    new-array v1, v1, [B
    const/4 v2, 0x0
    :more
    array-length v3, v1
    invoke-virtual {p0, v1, v2, v3}, Ljava/io/InputStream;->read([BII)I
    move-result v3
    if-lez v3, :end
    invoke-virtual {v0, v1, v2, v3}, Ljava/io/ByteArrayOutputStream;->write([BII)V
    goto :more
    :end
    invoke-virtual {v0}, Ljava/io/ByteArrayOutputStream;->toByteArray()[B
    move-result-object v0
    return-object v0
.end method

.method static mac([B)Ljavax/crypto/Mac;
    .locals 3
    const-string v0, "HmacSHA256"
    new-instance v1, Ljavax/crypto/spec/SecretKeySpec;
    invoke-direct {v1, p0, v0}, Ljavax/crypto/spec/SecretKeySpec;-><init>([BLjava/lang/String;)V
    invoke-static {v0}, Ljavax/crypto/Mac;->getInstance(Ljava/lang/String;)Ljavax/crypto/Mac;
    move-result-object v2
    invoke-virtual {v2, v1}, Ljavax/crypto/Mac;->init(Ljava/security/Key;)V
    return-object v2
.end method

.method static derive([BI)[B
    .locals 3
    const/4 v0, 0x1
    new-array v0, v0, [B
    const/4 v1, 0x0
    int-to-byte v2, p1
    aput-byte v2, v0, v1
    invoke-static {p0}, Lappwarden/files/Reader;->mac([B)Ljavax/crypto/Mac;
    move-result-object v1
    invoke-virtual {v1, v0}, Ljavax/crypto/Mac;->doFinal([B)[B
    move-result-object v0
    return-object v0
.end method

# Of hexadecimal digits.
.method static bytes(Ljava/lang/String;)[B
    .locals 6
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    shr-int/lit8 v0, v0, 0x1
    new-array v1, v0, [B
    const/4 v2, 0x0
    :next
    if-ge v2, v0, :end
    shl-int/lit8 v3, v2, 0x1
    add-int/lit8 v4, v3, 0x2
    invoke-virtual {p0, v3, v4}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    const/16 v5, 0x10
    invoke-static {v3, v5}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;I)I
    move-result v3
    int-to-byte v3, v3
    aput-byte v3, v1, v2
    add-int/lit8 v2, v2, 0x1
    goto :next
    :end
    return-object v1
.end method

.method static number(Ljava/io/InputStream;)I
    .locals 5
    const/4 v0, 0x4
    invoke-static {p0, v0}, Lappwarden/files/Reader;->read(Ljava/io/InputStream;I)[B
    move-result-object v1
    const/4 v2, 0x0
    const/4 v3, 0x0
    :next
    if-ge v3, v0, :end
    shl-int/lit8 v2, v2, 0x8
    aget-byte v4, v1, v3
    and-int/lit16 v4, v4, 0xff
    or-int/2addr v2, v4
    add-int/lit8 v3, v3, 0x1
    goto :next
    :end
    return v2
.end method

# Exactly so many bytes.
.method static read(Ljava/io/InputStream;I)[B
    .locals 3
    new-array v0, p1, [B
    const/4 v1, 0x0
    :next
    if-ge v1, p1, :end
    sub-int v2, p1, v1
    invoke-virtual {p0, v0, v1, v2}, Ljava/io/InputStream;->read([BII)I
    move-result v2
    if-lez v2, :short
    add-int/2addr v1, v2
    goto :next
    :end
    return-object v0
    :short
    const-string v0, "A file of this package ends too early"
    invoke-static {v0}, Lappwarden/files/Reader;->refusal(Ljava/lang/String;)Ljava/io/IOException;
    move-result-object v0
    throw v0
.end method
