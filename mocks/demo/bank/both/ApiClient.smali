# The bank's interface: JSON over TLS, with the token of the session.
.class public final Lcn/example/pocketbank/ApiClient;
.super Ljava/lang/Object;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public static get(Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/io/IOException;
        }
    .end annotation
    invoke-static {p0}, Lcn/example/pocketbank/ApiClient;->open(Ljava/lang/String;)Ljavax/net/ssl/HttpsURLConnection;
    move-result-object v0
    invoke-static {v0}, Lcn/example/pocketbank/ApiClient;->answer(Ljavax/net/ssl/HttpsURLConnection;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static post(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 4
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/io/IOException;
        }
    .end annotation
    invoke-static {p0}, Lcn/example/pocketbank/ApiClient;->open(Ljava/lang/String;)Ljavax/net/ssl/HttpsURLConnection;
    move-result-object v0
    const-string v1, "POST"
    invoke-virtual {v0, v1}, Ljavax/net/ssl/HttpsURLConnection;->setRequestMethod(Ljava/lang/String;)V
    const/4 v1, 0x1
    invoke-virtual {v0, v1}, Ljavax/net/ssl/HttpsURLConnection;->setDoOutput(Z)V
    const-string v1, "Content-Type"
    const-string v2, "application/json"
    invoke-virtual {v0, v1, v2}, Ljavax/net/ssl/HttpsURLConnection;->setRequestProperty(Ljava/lang/String;Ljava/lang/String;)V
    sget-object v1, Ljava/nio/charset/StandardCharsets;->UTF_8:Ljava/nio/charset/Charset;
    invoke-virtual {p1, v1}, Ljava/lang/String;->getBytes(Ljava/nio/charset/Charset;)[B
    move-result-object v1
    invoke-virtual {v0}, Ljavax/net/ssl/HttpsURLConnection;->getOutputStream()Ljava/io/OutputStream;
    move-result-object v2
    :try_start
    invoke-virtual {v2, v1}, Ljava/io/OutputStream;->write([B)V
    :try_end
    .catchall {:try_start .. :try_end} :broken
    invoke-virtual {v2}, Ljava/io/OutputStream;->close()V
    invoke-static {v0}, Lcn/example/pocketbank/ApiClient;->answer(Ljavax/net/ssl/HttpsURLConnection;)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :broken
    move-exception v3
    invoke-virtual {v2}, Ljava/io/OutputStream;->close()V
    throw v3
.end method

.method private static open(Ljava/lang/String;)Ljavax/net/ssl/HttpsURLConnection;
    .locals 4
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/io/IOException;
        }
    .end annotation
    invoke-static {p0}, Lcn/example/pocketbank/Connections;->open(Ljava/lang/String;)Ljavax/net/ssl/HttpsURLConnection;
    move-result-object v0
    const/16 v1, 0x2710
    invoke-virtual {v0, v1}, Ljavax/net/ssl/HttpsURLConnection;->setConnectTimeout(I)V
    invoke-virtual {v0, v1}, Ljavax/net/ssl/HttpsURLConnection;->setReadTimeout(I)V
    const-string v1, "Authorization"
    const-string v2, "Bearer "
    invoke-static {}, Lcn/example/pocketbank/Session;->token()Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v2, v3}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v0, v1, v2}, Ljavax/net/ssl/HttpsURLConnection;->setRequestProperty(Ljava/lang/String;Ljava/lang/String;)V
    return-object v0
.end method

.method private static answer(Ljavax/net/ssl/HttpsURLConnection;)Ljava/lang/String;
    .locals 6
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/io/IOException;
        }
    .end annotation
    :try_start
    invoke-virtual {p0}, Ljavax/net/ssl/HttpsURLConnection;->getResponseCode()I
    move-result v0
    const/16 v1, 0xc8
    if-eq v0, v1, :accepted
    new-instance v1, Ljava/io/IOException;
    const-string v2, "answer "
    invoke-static {v0}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v2, v3}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-direct {v1, v2}, Ljava/io/IOException;-><init>(Ljava/lang/String;)V
    throw v1
    :accepted
    invoke-virtual {p0}, Ljavax/net/ssl/HttpsURLConnection;->getInputStream()Ljava/io/InputStream;
    move-result-object v0
    new-instance v1, Ljava/io/ByteArrayOutputStream;
    invoke-direct {v1}, Ljava/io/ByteArrayOutputStream;-><init>()V
    const/16 v2, 0x1000
    new-array v2, v2, [B
    :more
    invoke-virtual {v0, v2}, Ljava/io/InputStream;->read([B)I
    move-result v3
    if-ltz v3, :end
    const/4 v4, 0x0
    invoke-virtual {v1, v2, v4, v3}, Ljava/io/ByteArrayOutputStream;->write([BII)V
    goto :more
    :end
    const-string v2, "UTF-8"
    invoke-virtual {v1, v2}, Ljava/io/ByteArrayOutputStream;->toString(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    :try_end
    .catchall {:try_start .. :try_end} :broken
    invoke-virtual {p0}, Ljavax/net/ssl/HttpsURLConnection;->disconnect()V
    return-object v1
    :broken
    move-exception v5
    invoke-virtual {p0}, Ljavax/net/ssl/HttpsURLConnection;->disconnect()V
    throw v5
.end method
