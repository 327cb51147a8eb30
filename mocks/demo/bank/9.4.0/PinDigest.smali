# PBKDF2 with the salt of the customer: guessing costs as much as the bank wants it to.
.class public final Lcn/example/pocketbank/PinDigest;
.super Ljava/lang/Object;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public static of(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 6
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/security/GeneralSecurityException;
        }
    .end annotation
    const/4 v5, 0x2
    invoke-static {p1, v5}, Landroid/util/Base64;->decode(Ljava/lang/String;I)[B
    move-result-object v2
    invoke-virtual {p0}, Ljava/lang/String;->toCharArray()[C
    move-result-object v1
    new-instance v0, Ljavax/crypto/spec/PBEKeySpec;
    const v3, 0x33450
    const/16 v4, 0x100
    invoke-direct {v0, v1, v2, v3, v4}, Ljavax/crypto/spec/PBEKeySpec;-><init>([C[BII)V
    const-string v1, "PBKDF2withHmacSHA256"
    invoke-static {v1}, Ljavax/crypto/SecretKeyFactory;->getInstance(Ljava/lang/String;)Ljavax/crypto/SecretKeyFactory;
    move-result-object v1
    invoke-virtual {v1, v0}, Ljavax/crypto/SecretKeyFactory;->generateSecret(Ljava/security/spec/KeySpec;)Ljavax/crypto/SecretKey;
    move-result-object v1
    invoke-virtual {v0}, Ljavax/crypto/spec/PBEKeySpec;->clearPassword()V
    invoke-interface {v1}, Ljavax/crypto/SecretKey;->getEncoded()[B
    move-result-object v1
    invoke-static {v1, v5}, Landroid/util/Base64;->encodeToString([BI)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
