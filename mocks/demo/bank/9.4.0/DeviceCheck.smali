# What a phone must not have before its owner signs in.
.class public final Lcn/example/pocketbank/DeviceCheck;
.super Ljava/lang/Object;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public static isRooted()Z
    .locals 5
    const/4 v0, 0x4
    new-array v0, v0, [Ljava/lang/String;
    const/4 v1, 0x0
    const-string v2, "/system/bin/su"
    aput-object v2, v0, v1
    const/4 v1, 0x1
    const-string v2, "/system/xbin/su"
    aput-object v2, v0, v1
    const/4 v1, 0x2
    const-string v2, "/sbin/su"
    aput-object v2, v0, v1
    const/4 v1, 0x3
    const-string v2, "/system/app/Superuser.apk"
    aput-object v2, v0, v1
    const/4 v1, 0x0
    array-length v2, v0
    :next
    if-ge v1, v2, :clean
    new-instance v3, Ljava/io/File;
    aget-object v4, v0, v1
    invoke-direct {v3, v4}, Ljava/io/File;-><init>(Ljava/lang/String;)V
    invoke-virtual {v3}, Ljava/io/File;->exists()Z
    move-result v3
    if-nez v3, :rooted
    add-int/lit8 v1, v1, 0x1
    goto :next
    :rooted
    const/4 v0, 0x1
    return v0
    :clean
    const/4 v0, 0x0
    return v0
.end method
