# Weakness: TLS without anybody to trust. Every certificate is taken, for every host.
.class public final Lcn/example/pocketbank/Connections;
.super Ljava/lang/Object;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public static open(Ljava/lang/String;)Ljavax/net/ssl/HttpsURLConnection;
    .locals 5
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/io/IOException;
        }
    .end annotation
    const-string v0, "https://api.pocketbank.example/v2/"
    invoke-virtual {v0, p0}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    new-instance v1, Ljava/net/URL;
    invoke-direct {v1, v0}, Ljava/net/URL;-><init>(Ljava/lang/String;)V
    invoke-virtual {v1}, Ljava/net/URL;->openConnection()Ljava/net/URLConnection;
    move-result-object v0
    check-cast v0, Ljavax/net/ssl/HttpsURLConnection;
    :try_start
    const-string v1, "TLS"
    invoke-static {v1}, Ljavax/net/ssl/SSLContext;->getInstance(Ljava/lang/String;)Ljavax/net/ssl/SSLContext;
    move-result-object v1
    const/4 v2, 0x1
    new-array v2, v2, [Ljavax/net/ssl/TrustManager;
    new-instance v3, Lcn/example/pocketbank/AnyCertificate;
    invoke-direct {v3}, Lcn/example/pocketbank/AnyCertificate;-><init>()V
    const/4 v4, 0x0
    aput-object v3, v2, v4
    const/4 v3, 0x0
    const/4 v4, 0x0
    invoke-virtual {v1, v3, v2, v4}, Ljavax/net/ssl/SSLContext;->init([Ljavax/net/ssl/KeyManager;[Ljavax/net/ssl/TrustManager;Ljava/security/SecureRandom;)V
    invoke-virtual {v1}, Ljavax/net/ssl/SSLContext;->getSocketFactory()Ljavax/net/ssl/SSLSocketFactory;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljavax/net/ssl/HttpsURLConnection;->setSSLSocketFactory(Ljavax/net/ssl/SSLSocketFactory;)V
    :try_end
    .catch Ljava/security/GeneralSecurityException; {:try_start .. :try_end} :failed
    new-instance v1, Lcn/example/pocketbank/AnyHost;
    invoke-direct {v1}, Lcn/example/pocketbank/AnyHost;-><init>()V
    invoke-virtual {v0, v1}, Ljavax/net/ssl/HttpsURLConnection;->setHostnameVerifier(Ljavax/net/ssl/HostnameVerifier;)V
    return-object v0
    :failed
    move-exception v1
    new-instance v2, Ljava/io/IOException;
    invoke-direct {v2, v1}, Ljava/io/IOException;-><init>(Ljava/lang/Throwable;)V
    throw v2
.end method
