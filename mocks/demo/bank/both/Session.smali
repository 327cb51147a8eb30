# Who is signed in, in memory alone.
.class public final Lcn/example/pocketbank/Session;
.super Ljava/lang/Object;

.field private static volatile token:Ljava/lang/String;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public static open(Ljava/lang/String;)V
    .locals 0
    sput-object p0, Lcn/example/pocketbank/Session;->token:Ljava/lang/String;
    return-void
.end method

.method public static close()V
    .locals 1
    const/4 v0, 0x0
    sput-object v0, Lcn/example/pocketbank/Session;->token:Ljava/lang/String;
    return-void
.end method

.method public static isOpen()Z
    .locals 1
    sget-object v0, Lcn/example/pocketbank/Session;->token:Ljava/lang/String;
    if-eqz v0, :closed
    const/4 v0, 0x1
    return v0
    :closed
    const/4 v0, 0x0
    return v0
.end method

.method public static token()Ljava/lang/String;
    .locals 1
    sget-object v0, Lcn/example/pocketbank/Session;->token:Ljava/lang/String;
    if-nez v0, :open
    const-string v0, ""
    :open
    return-object v0
.end method
