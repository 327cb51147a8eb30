# The policy that the server has for this install (contracts/telemetry/policy.ts): kept by the app, verified whenever it is read, asked for
# beside the app when a process starts and every ten minutes. Where one is deployed, it decides about a finding, and not the build.
.class final Lappwarden/runtime/Policy;
.super Ljava/lang/Object;
.implements Ljava/lang/Runnable;

# Constant of the build: not empty where the app ends while the server cannot be reached.
.field static closed:Ljava/lang/String; = ""

# The verified document; empty without one.
.field private static volatile document:Ljava/lang/String; = ""
.field private static isAsking:Z
# Of the last answer: its headers, and whether there was one.
.field static signature:Ljava/lang/String;
.field static etag:Ljava/lang/String;
.field static volatile answered:Z

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

# Before the checks: what an earlier process kept. A banned install asks first whether it still is, so that it finds out that it is not.
.method static open()V
    .locals 4
    :try
    invoke-static {}, Lappwarden/runtime/Report;->isOn()Z
    move-result v0
    if-eqz v0, :end
    invoke-static {}, Lappwarden/runtime/Report;->preferences()Landroid/content/SharedPreferences;
    move-result-object v0
    const-string v1, "policy"
    invoke-static {v0, v1}, Lappwarden/runtime/Report;->kept(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    const-string v2, "policy_signature"
    invoke-static {v0, v2}, Lappwarden/runtime/Report;->kept(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    const-string v3, "policy_key"
    invoke-static {v0, v3}, Lappwarden/runtime/Report;->kept(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    invoke-static {v1, v2, v3}, Lappwarden/runtime/Policy;->accept(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)Z
    invoke-static {}, Lappwarden/runtime/Policy;->isBanned()Z
    move-result v0
    if-eqz v0, :end
    invoke-static {}, Lappwarden/runtime/Policy;->start()V
    const/16 v0, 0x28
    :wait
    const-wide/16 v1, 0x64
    invoke-static {v1, v2}, Ljava/lang/Thread;->sleep(J)V
    invoke-static {}, Lappwarden/runtime/Policy;->isBanned()Z
    move-result v1
    if-eqz v1, :end
    add-int/lit8 v0, v0, -0x1
    if-nez v0, :wait
    invoke-static {}, Lappwarden/runtime/Checks;->end()V
    :try_end
    .catchall {:try .. :try_end} :failed
    :end
    return-void
    :failed
    move-exception v0
    return-void
.end method

# Asks on a thread of its own, one for each process.
.method static start()V
    .locals 2
    invoke-static {}, Lappwarden/runtime/Report;->isOn()Z
    move-result v0
    if-eqz v0, :end
    sget-boolean v0, Lappwarden/runtime/Policy;->isAsking:Z
    if-nez v0, :end
    new-instance v0, Lappwarden/runtime/Policy;
    invoke-direct {v0}, Lappwarden/runtime/Policy;-><init>()V
    new-instance v1, Ljava/lang/Thread;
    invoke-direct {v1, v0}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;)V
    const/4 v0, 0x1
    invoke-virtual {v1, v0}, Ljava/lang/Thread;->setDaemon(Z)V
    sput-boolean v0, Lappwarden/runtime/Policy;->isAsking:Z
    invoke-virtual {v1}, Ljava/lang/Thread;->start()V
    :end
    return-void
.end method

# A banned app ends. One that must have a connection asks three times, five seconds apart, before it ends; what fails before there is a connection
# (preferences that cannot be read yet) does not count as none.
.method public run()V
    .locals 4
    const/4 v3, 0x0
    :again
    :try
    const/4 v0, 0x0
    sput-boolean v0, Lappwarden/runtime/Policy;->answered:Z
    invoke-static {}, Lappwarden/runtime/Report;->askPolicy()V
    :try_end
    .catchall {:try .. :try_end} :failed
    goto :asked
    :failed
    move-exception v0
    instance-of v0, v0, Ljava/io/IOException;
    if-nez v0, :asked
    const/4 v0, 0x1
    sput-boolean v0, Lappwarden/runtime/Policy;->answered:Z
    :asked
    invoke-static {}, Lappwarden/runtime/Policy;->isBanned()Z
    move-result v0
    if-nez v0, :banned
    add-int/lit8 v3, v3, 0x1
    sget-boolean v0, Lappwarden/runtime/Policy;->answered:Z
    if-nez v0, :reached
    sget-object v0, Lappwarden/runtime/Policy;->closed:Ljava/lang/String;
    invoke-virtual {v0}, Ljava/lang/String;->isEmpty()Z
    move-result v0
    if-nez v0, :reached
    const/4 v0, 0x3
    if-ge v3, v0, :end
    const-wide/16 v0, 0x1388
    goto :wait
    :reached
    const/4 v3, 0x0
    const-wide/32 v0, 0x927c0
    :wait
    :try_wait
    invoke-static {v0, v1}, Ljava/lang/Thread;->sleep(J)V
    :try_wait_end
    .catchall {:try_wait .. :try_wait_end} :interrupted
    goto :again
    :end
    :banned
    invoke-static {}, Lappwarden/runtime/Checks;->end()V
    return-void
    :interrupted
    move-exception v0
    return-void
.end method

# Asks for the policy of this install and keeps it where it is new. The answer as Report reads it.
.method static ask(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    .locals 6
    const-string v0, ""
    sput-object v0, Lappwarden/runtime/Policy;->etag:Ljava/lang/String;
    sget-object v1, Lappwarden/runtime/Policy;->document:Ljava/lang/String;
    invoke-virtual {v1}, Ljava/lang/String;->isEmpty()Z
    move-result v1
    const-string v2, "policy_etag"
    if-nez v1, :unknown
    invoke-static {p0, v2}, Lappwarden/runtime/Report;->kept(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    sput-object v1, Lappwarden/runtime/Policy;->etag:Ljava/lang/String;
    :unknown
    const-string v1, "device_key"
    invoke-static {p0, v1}, Lappwarden/runtime/Report;->kept(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    const-string v3, "GET\n/collect/v1/policy?version="
    invoke-static {}, Lappwarden/runtime/Report;->version()Ljava/lang/String;
    move-result-object v4
    invoke-static {v4}, Lappwarden/runtime/Policy;->encoded(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v4
    invoke-static {v3, v4}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    invoke-static {v3, p1, v1, v0}, Lappwarden/runtime/Report;->signed(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    const-string v1, "200 "
    invoke-virtual {v0, v1}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v1
    if-eqz v1, :end
    const/4 v1, 0x4
    invoke-virtual {v0, v1}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v1
    sget-object v3, Lappwarden/runtime/Policy;->signature:Ljava/lang/String;
    const-string v4, "policy_key"
    invoke-static {p0, v4}, Lappwarden/runtime/Report;->kept(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v4
    invoke-static {v1, v3, v4}, Lappwarden/runtime/Policy;->accept(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)Z
    move-result v4
    if-eqz v4, :end
    const-string v4, "policy"
    invoke-static {p0, v4, v1}, Lappwarden/runtime/Report;->keep(Landroid/content/SharedPreferences;Ljava/lang/String;Ljava/lang/String;)V
    const-string v4, "policy_signature"
    invoke-static {p0, v4, v3}, Lappwarden/runtime/Report;->keep(Landroid/content/SharedPreferences;Ljava/lang/String;Ljava/lang/String;)V
    sget-object v4, Lappwarden/runtime/Policy;->etag:Ljava/lang/String;
    if-eqz v4, :end
    invoke-static {p0, v2, v4}, Lappwarden/runtime/Report;->keep(Landroid/content/SharedPreferences;Ljava/lang/String;Ljava/lang/String;)V
    :end
    return-object v0
.end method

# Whether a document is signed with the installation's key and is not one of another application; it is obeyed from then on.
.method private static accept(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)Z
    .locals 4
    const/4 v3, 0x0
    if-eqz p1, :no
    invoke-virtual {p0}, Ljava/lang/String;->isEmpty()Z
    move-result v0
    if-nez v0, :no
    invoke-virtual {p2}, Ljava/lang/String;->isEmpty()Z
    move-result v0
    if-nez v0, :no
    const/16 v2, 0xb
    invoke-static {p2, v2}, Landroid/util/Base64;->decode(Ljava/lang/String;I)[B
    move-result-object v0
    new-instance v1, Ljava/security/spec/X509EncodedKeySpec;
    invoke-direct {v1, v0}, Ljava/security/spec/X509EncodedKeySpec;-><init>([B)V
    const-string v0, "EC"
    invoke-static {v0}, Ljava/security/KeyFactory;->getInstance(Ljava/lang/String;)Ljava/security/KeyFactory;
    move-result-object v0
    invoke-virtual {v0, v1}, Ljava/security/KeyFactory;->generatePublic(Ljava/security/spec/KeySpec;)Ljava/security/PublicKey;
    move-result-object v1
    const-string v0, "SHA256withECDSA"
    invoke-static {v0}, Ljava/security/Signature;->getInstance(Ljava/lang/String;)Ljava/security/Signature;
    move-result-object v0
    invoke-virtual {v0, v1}, Ljava/security/Signature;->initVerify(Ljava/security/PublicKey;)V
    invoke-virtual {p0}, Ljava/lang/String;->getBytes()[B
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/security/Signature;->update([B)V
    invoke-static {p1, v2}, Landroid/util/Base64;->decode(Ljava/lang/String;I)[B
    move-result-object v1
    array-length v2, v1
    const/16 p2, 0x40
    if-ne v2, p2, :no
    invoke-static {v1}, Lappwarden/runtime/Policy;->der([B)[B
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/security/Signature;->verify([B)Z
    move-result v0
    if-eqz v0, :no
    sget-object v0, Lappwarden/runtime/Policy;->document:Ljava/lang/String;
    invoke-virtual {v0}, Ljava/lang/String;->isEmpty()Z
    move-result v1
    if-nez v1, :same
    const-string v1, "app"
    invoke-static {v0, v1}, Lappwarden/runtime/Report;->member(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {p0, v1}, Lappwarden/runtime/Report;->member(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-eqz v0, :no
    :same
    sput-object p0, Lappwarden/runtime/Policy;->document:Ljava/lang/String;
    const/4 v3, 0x1
    :no
    return v3
.end method

# 64 bytes r||s as the SEQUENCE of two INTEGERs that Java reads (RFC 3279, 2.2.3).
.method private static der([B)[B
    .locals 5
    const/16 v0, 0x48
    new-array v0, v0, [B
    const/4 v1, 0x2
    const/4 v2, 0x0
    invoke-static {p0, v2, v0, v1}, Lappwarden/runtime/Policy;->integer([BI[BI)I
    move-result v1
    const/16 v2, 0x20
    invoke-static {p0, v2, v0, v1}, Lappwarden/runtime/Policy;->integer([BI[BI)I
    move-result v1
    const/4 v2, 0x0
    const/16 v3, 0x30
    aput-byte v3, v0, v2
    const/4 v3, 0x1
    add-int/lit8 v4, v1, -0x2
    int-to-byte v4, v4
    aput-byte v4, v0, v3
    new-array v3, v1, [B
    invoke-static {v0, v2, v3, v2, v1}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    return-object v3
.end method

# Writes the 32 bytes from p1 on as an INTEGER to p2 at p3, without zeros in front but with one where the number would be negative. Where it ends.
.method private static integer([BI[BI)I
    .locals 5
    add-int/lit8 v0, p1, 0x1f
    :zeros
    aget-byte v1, p0, p1
    if-nez v1, :begins
    if-eq p1, v0, :begins
    add-int/lit8 p1, p1, 0x1
    goto :zeros
    :begins
    const/4 v2, 0x2
    aput-byte v2, p2, p3
    sub-int v2, v0, p1
    add-int/lit8 v2, v2, 0x1
    # A byte of zero in front.
    ushr-int/lit8 v3, v1, 0x1f
    add-int v4, v2, v3
    int-to-byte v4, v4
    add-int/lit8 p3, p3, 0x1
    aput-byte v4, p2, p3
    add-int/lit8 p3, p3, 0x1
    add-int/2addr p3, v3
    invoke-static {p0, p1, p2, p3, v2}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    add-int/2addr p3, v2
    return p3
.end method

.method static isBanned()Z
    .locals 2
    sget-object v0, Lappwarden/runtime/Policy;->document:Ljava/lang/String;
    const-string v1, "\"verdict\":\"banned\""
    invoke-virtual {v0, v1}, Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z
    move-result v0
    return v0
.end method

# What the policy says about a finding of this kind, from its action on; empty where none is deployed or it does not name the risk.
.method private static rule(I)Ljava/lang/String;
    .locals 3
    sget-object v0, Lappwarden/runtime/Policy;->document:Ljava/lang/String;
    const-string v1, "\"policy\":\"\""
    invoke-virtual {v0, v1}, Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z
    move-result v1
    if-nez v1, :none
    const-string v1, "\""
    invoke-static {p0}, Lappwarden/runtime/Report;->risk(I)Ljava/lang/String;
    move-result-object v2
    invoke-static {v1, v2}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    const-string v2, "\":{\"action\":\""
    invoke-static {v1, v2}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/String;->indexOf(Ljava/lang/String;)I
    move-result v2
    if-ltz v2, :none
    invoke-virtual {v1}, Ljava/lang/String;->length()I
    move-result v1
    add-int/2addr v1, v2
    invoke-virtual {v0, v1}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :none
    const-string v0, ""
    return-object v0
.end method

# What is done about a finding: what the policy says, else what the build says. An app cannot block parts of itself, and ends instead.
.method static action(II)I
    .locals 2
    invoke-static {}, Lappwarden/runtime/Policy;->isBanned()Z
    move-result v0
    if-nez v0, :exit
    invoke-static {p0}, Lappwarden/runtime/Policy;->rule(I)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/String;->isEmpty()Z
    move-result v1
    if-nez v1, :built
    const-string v1, "none\""
    invoke-virtual {v0, v1}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v1
    if-nez v1, :none
    const-string v1, "warn\""
    invoke-virtual {v0, v1}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v1
    if-nez v1, :warn
    const-string v1, "exit\""
    invoke-virtual {v0, v1}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v1
    if-nez v1, :exit
    const-string v1, "block\""
    invoke-virtual {v0, v1}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v1
    if-nez v1, :exit
    # An action that a newer server has is reported.
    const/4 p1, 0x1
    :built
    return p1
    :none
    const/4 p1, 0x0
    return p1
    :warn
    const/4 p1, 0x2
    return p1
    :exit
    const/4 p1, 0x3
    return p1
.end method

# The operator's words for a warning; empty where there are none, or none that can be shown as they are.
.method static text(I)Ljava/lang/String;
    .locals 4
    const-string v3, ""
    invoke-static {p0}, Lappwarden/runtime/Policy;->rule(I)Ljava/lang/String;
    move-result-object v0
    const-string v1, "warn\",\"text\":{"
    invoke-virtual {v0, v1}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v1
    if-eqz v1, :none
    invoke-static {}, Lappwarden/runtime/Notice;->isChinese()Z
    move-result v1
    const-string v2, "zh"
    if-nez v1, :read
    const-string v2, "en"
    :read
    invoke-static {v0, v2}, Lappwarden/runtime/Report;->member(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    const-string v1, "\\"
    invoke-virtual {v0, v1}, Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z
    move-result v1
    if-nez v1, :none
    return-object v0
    :none
    return-object v3
.end method

# Whether a field of events must not be sent.
.method static isOff(Ljava/lang/String;)Z
    .locals 4
    sget-object v0, Lappwarden/runtime/Policy;->document:Ljava/lang/String;
    const-string v1, "\"off\":["
    invoke-virtual {v0, v1}, Ljava/lang/String;->indexOf(Ljava/lang/String;)I
    move-result v1
    if-ltz v1, :no
    const/16 v2, 0x5d
    invoke-virtual {v0, v2, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v2
    if-ltz v2, :no
    invoke-virtual {v0, v1, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v0
    const-string v1, "\""
    invoke-static {v1, p0}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-static {v2, v1}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z
    move-result v0
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

# As part of an address (RFC 3986, 2.1).
.method private static encoded(Ljava/lang/String;)Ljava/lang/String;
    .locals 8
    const-string v0, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._"
    invoke-virtual {p0}, Ljava/lang/String;->getBytes()[B
    move-result-object v1
    new-instance v2, Ljava/lang/StringBuilder;
    invoke-direct {v2}, Ljava/lang/StringBuilder;-><init>()V
    const/4 v3, 0x0
    :next
    array-length v4, v1
    if-ge v3, v4, :end
    aget-byte v4, v1, v3
    add-int/lit8 v3, v3, 0x1
    invoke-virtual {v0, v4}, Ljava/lang/String;->indexOf(I)I
    move-result v5
    if-gez v5, :plain
    const/16 v5, 0x25
    invoke-virtual {v2, v5}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    shr-int/lit8 v5, v4, 0x4
    and-int/lit8 v5, v5, 0xf
    invoke-virtual {v0, v5}, Ljava/lang/String;->charAt(I)C
    move-result v5
    invoke-virtual {v2, v5}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    and-int/lit8 v5, v4, 0xf
    :plain
    invoke-virtual {v0, v5}, Ljava/lang/String;->charAt(I)C
    move-result v5
    invoke-virtual {v2, v5}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    goto :next
    :end
    invoke-virtual {v2}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
