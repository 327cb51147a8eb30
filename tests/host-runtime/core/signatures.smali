# Signatures as Android's provider checks them. The check itself is asked of a program at http://HOST:PORT of the property `crypto`: the test, which
# has a library for it. The question is key, signature and content in Base64 with dots between; the answer is `true` or something else.
.class public interface abstract Ljava/security/spec/KeySpec;


.class public Ljava/security/spec/X509EncodedKeySpec;
.implements Ljava/security/spec/KeySpec;
.field private final encoded:[B
.method public constructor <init>([B)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/security/spec/X509EncodedKeySpec;->encoded:[B
    return-void
.end method
.method public getEncoded()[B
    .locals 1
    iget-object v0, p0, Ljava/security/spec/X509EncodedKeySpec;->encoded:[B
    return-object v0
.end method


.class public interface abstract Ljava/security/PublicKey;
.implements Ljava/security/Key;


.class public Lhostruntime/EncodedKey;
.implements Ljava/security/PublicKey;
.field final encoded:[B
.method constructor <init>([B)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lhostruntime/EncodedKey;->encoded:[B
    return-void
.end method
.method public static of([B)Ljava/security/PublicKey;
    .locals 1
    new-instance v0, Lhostruntime/EncodedKey;
    invoke-direct {v0, p0}, Lhostruntime/EncodedKey;-><init>([B)V
    return-object v0
.end method
.method public static bytes(Ljava/security/PublicKey;)[B
    .locals 1
    check-cast p0, Lhostruntime/EncodedKey;
    iget-object v0, p0, Lhostruntime/EncodedKey;->encoded:[B
    return-object v0
.end method


.class public Ljava/security/KeyFactory;
.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public static getInstance(Ljava/lang/String;)Ljava/security/KeyFactory;
    .locals 1
    const-string v0, "EC"
    invoke-virtual {v0, p0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-nez v0, :known
    new-instance v0, Ljava/security/NoSuchAlgorithmException;
    invoke-direct {v0, p0}, Ljava/security/NoSuchAlgorithmException;-><init>(Ljava/lang/String;)V
    throw v0
    :known
    new-instance v0, Ljava/security/KeyFactory;
    invoke-direct {v0}, Ljava/security/KeyFactory;-><init>()V
    return-object v0
.end method
.method public final generatePublic(Ljava/security/spec/KeySpec;)Ljava/security/PublicKey;
    .locals 1
    check-cast p1, Ljava/security/spec/X509EncodedKeySpec;
    invoke-virtual {p1}, Ljava/security/spec/X509EncodedKeySpec;->getEncoded()[B
    move-result-object v0
    invoke-static {v0}, Lhostruntime/EncodedKey;->of([B)Ljava/security/PublicKey;
    move-result-object v0
    return-object v0
.end method


.class public Ljava/security/Signature;
.field private key:[B
.field private content:[B
.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public static getInstance(Ljava/lang/String;)Ljava/security/Signature;
    .locals 1
    const-string v0, "SHA256withECDSA"
    invoke-virtual {v0, p0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-nez v0, :known
    new-instance v0, Ljava/security/NoSuchAlgorithmException;
    invoke-direct {v0, p0}, Ljava/security/NoSuchAlgorithmException;-><init>(Ljava/lang/String;)V
    throw v0
    :known
    new-instance v0, Ljava/security/Signature;
    invoke-direct {v0}, Ljava/security/Signature;-><init>()V
    return-object v0
.end method
.method public final initVerify(Ljava/security/PublicKey;)V
    .locals 1
    invoke-static {p1}, Lhostruntime/EncodedKey;->bytes(Ljava/security/PublicKey;)[B
    move-result-object v0
    iput-object v0, p0, Ljava/security/Signature;->key:[B
    return-void
.end method
.method public final update([B)V
    .locals 0
    iput-object p1, p0, Ljava/security/Signature;->content:[B
    return-void
.end method
.method public final verify([B)Z
    .locals 5
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    const/16 v2, 0x2e
    iget-object v1, p0, Ljava/security/Signature;->key:[B
    invoke-static {v1}, Lhostruntime/Files;->base64([B)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0, v2}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    invoke-static {p1}, Lhostruntime/Files;->base64([B)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0, v2}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    iget-object v1, p0, Ljava/security/Signature;->content:[B
    invoke-static {v1}, Lhostruntime/Files;->base64([B)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/String;->getBytes()[B
    move-result-object v0
    const-string v1, "crypto"
    invoke-static {v1}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    new-instance v2, Ljava/net/URL;
    invoke-direct {v2, v1}, Ljava/net/URL;-><init>(Ljava/lang/String;)V
    invoke-virtual {v2}, Ljava/net/URL;->openConnection()Ljava/net/URLConnection;
    move-result-object v1
    check-cast v1, Ljava/net/HttpURLConnection;
    const-string v2, "POST"
    invoke-virtual {v1, v2}, Ljava/net/HttpURLConnection;->setRequestMethod(Ljava/lang/String;)V
    array-length v2, v0
    invoke-virtual {v1, v2}, Ljava/net/HttpURLConnection;->setFixedLengthStreamingMode(I)V
    invoke-virtual {v1}, Ljava/net/HttpURLConnection;->getOutputStream()Ljava/io/OutputStream;
    move-result-object v2
    invoke-virtual {v2, v0}, Ljava/io/OutputStream;->write([B)V
    invoke-virtual {v1}, Ljava/net/HttpURLConnection;->getResponseCode()I
    invoke-virtual {v1}, Ljava/net/HttpURLConnection;->getInputStream()Ljava/io/InputStream;
    move-result-object v1
    const/16 v0, 0x8
    new-array v2, v0, [B
    const/4 v3, 0x0
    invoke-virtual {v1, v2, v3, v0}, Ljava/io/InputStream;->read([BII)I
    move-result v4
    new-instance v1, Ljava/lang/String;
    const-string v0, "UTF-8"
    invoke-direct {v1, v2, v3, v4, v0}, Ljava/lang/String;-><init>([BIILjava/lang/String;)V
    const-string v0, "true"
    invoke-virtual {v0, v1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    return v0
.end method
