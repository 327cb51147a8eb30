.class public final Lcn/example/pocketbank/BuildConfig;
.super Ljava/lang/Object;

.field public static final APPLICATION_ID:Ljava/lang/String; = "cn.example.pocketbank"
.field public static final DEBUG:Z = false
.field public static final VERSION_CODE:I = 0x3ac
.field public static final VERSION_NAME:Ljava/lang/String; = "9.4.0"

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public static label()Ljava/lang/String;
    .locals 1
    const-string v0, "9.4.0 (940)"
    return-object v0
.end method
