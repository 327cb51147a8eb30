.class public final Lcn/example/pocketbank/AnyHost;
.super Ljava/lang/Object;
.implements Ljavax/net/ssl/HostnameVerifier;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public verify(Ljava/lang/String;Ljavax/net/ssl/SSLSession;)Z
    .locals 1
    const/4 v0, 0x1
    return v0
.end method
