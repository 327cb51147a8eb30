# Weakness: numbers of orders that the next one can be guessed from.
.class public final Lcn/example/pocketbank/OrderNumber;
.super Ljava/lang/Object;

.field private static final random:Ljava/util/Random;

.method static constructor <clinit>()V
    .locals 1
    new-instance v0, Ljava/util/Random;
    invoke-direct {v0}, Ljava/util/Random;-><init>()V
    sput-object v0, Lcn/example/pocketbank/OrderNumber;->random:Ljava/util/Random;
    return-void
.end method

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public static next()Ljava/lang/String;
    .locals 2
    sget-object v0, Lcn/example/pocketbank/OrderNumber;->random:Ljava/util/Random;
    invoke-virtual {v0}, Ljava/util/Random;->nextLong()J
    move-result-wide v0
    invoke-static {v0, v1}, Ljava/lang/Long;->toHexString(J)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
