# Sends one event to the collector in the wire format of the SDKs, or asks for the policy: enrols this install where it is not yet, then signs the
# request. The id of the device is random and kept by the app; nothing of the device identifies it.
.class final Lappwarden/runtime/Report;
.super Ljava/lang/Object;
.implements Ljava/lang/Runnable;

# Constants of the build: address of the collector without path, and the enrolment key; empty where nothing is sent.
.field static address:Ljava/lang/String; = ""
.field static enrolment:Ljava/lang/String; = ""

# What the server's clock is ahead of this one, in milliseconds.
.field static ahead:J

# Of a finding; negative where the policy is asked for.
.field private final kind:I
.field private final action:I
.field private final evidence:Ljava/lang/String;

.method private constructor <init>(IILjava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput p1, p0, Lappwarden/runtime/Report;->kind:I
    iput p2, p0, Lappwarden/runtime/Report;->action:I
    iput-object p3, p0, Lappwarden/runtime/Report;->evidence:Ljava/lang/String;
    return-void
.end method

# Whether anything is sent.
.method static isOn()Z
    .locals 1
    sget-object v0, Lappwarden/runtime/Report;->address:Ljava/lang/String;
    invoke-virtual {v0}, Ljava/lang/String;->isEmpty()Z
    move-result v0
    xor-int/lit8 v0, v0, 0x1
    return v0
.end method

# No file of the app has this name.
.method static preferences()Landroid/content/SharedPreferences;
    .locals 3
    sget-object v0, Lappwarden/runtime/Checks;->context:Landroid/content/Context;
    const-string v1, "appwarden.runtime"
    const/4 v2, 0x0
    invoke-virtual {v0, v1, v2}, Landroid/content/Context;->getSharedPreferences(Ljava/lang/String;I)Landroid/content/SharedPreferences;
    move-result-object v0
    return-object v0
.end method

# On the calling thread.
.method static askPolicy()V
    .locals 3
    new-instance v0, Lappwarden/runtime/Report;
    const/4 v1, -0x1
    const-string v2, ""
    invoke-direct {v0, v1, v1, v2}, Lappwarden/runtime/Report;-><init>(IILjava/lang/String;)V
    invoke-direct {v0}, Lappwarden/runtime/Report;->send()V
    return-void
.end method

# On a thread of its own. The process that ends waits for it, four seconds at most.
.method static start(IILjava/lang/String;)V
    .locals 3
    invoke-static {}, Lappwarden/runtime/Report;->isOn()Z
    move-result v0
    if-eqz v0, :end
    new-instance v0, Lappwarden/runtime/Report;
    invoke-direct {v0, p0, p1, p2}, Lappwarden/runtime/Report;-><init>(IILjava/lang/String;)V
    new-instance v1, Ljava/lang/Thread;
    invoke-direct {v1, v0}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;)V
    const/4 v0, 0x1
    invoke-virtual {v1, v0}, Ljava/lang/Thread;->setDaemon(Z)V
    invoke-virtual {v1}, Ljava/lang/Thread;->start()V
    const/4 v0, 0x3
    if-ne p1, v0, :end
    const-wide/16 v2, 0xfa0
    invoke-virtual {v1, v2, v3}, Ljava/lang/Thread;->join(J)V
    :end
    return-void
.end method

.method public run()V
    .locals 1
    :try
    invoke-direct {p0}, Lappwarden/runtime/Report;->send()V
    :try_end
    .catchall {:try .. :try_end} :failed
    return-void
    :failed
    move-exception v0
    return-void
.end method

# Three attempts at most, and another one only after an answer that sets the clock right or says that the install is not known: a server that is
# busy or refuses the enrolment key is not asked again by this event. An install whose keys are not all kept is enrolled again.
.method private send()V
    .locals 9
    const-class v8, Lappwarden/runtime/Report;
    monitor-enter v8
    :try
    invoke-static {}, Lappwarden/runtime/Report;->preferences()Landroid/content/SharedPreferences;
    move-result-object v0
    const-string v1, "device"
    invoke-static {v0, v1}, Lappwarden/runtime/Report;->kept(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v2}, Ljava/lang/String;->isEmpty()Z
    move-result v3
    if-eqz v3, :known
    const-string v2, "a-"
    invoke-static {}, Lappwarden/runtime/Report;->random()Ljava/lang/String;
    move-result-object v3
    invoke-static {v2, v3}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-static {v0, v1, v2}, Lappwarden/runtime/Report;->keep(Landroid/content/SharedPreferences;Ljava/lang/String;Ljava/lang/String;)V
    :known
    const/4 v4, 0x3
    :again
    if-eqz v4, :end
    add-int/lit8 v4, v4, -0x1
    const-string v1, "install"
    invoke-static {v0, v1}, Lappwarden/runtime/Report;->kept(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v5
    invoke-virtual {v5}, Ljava/lang/String;->isEmpty()Z
    move-result v6
    if-nez v6, :new
    const-string v6, "device_key"
    invoke-static {v0, v6}, Lappwarden/runtime/Report;->kept(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v6
    invoke-virtual {v6}, Ljava/lang/String;->isEmpty()Z
    move-result v6
    if-nez v6, :new
    const-string v6, "policy_key"
    invoke-static {v0, v6}, Lappwarden/runtime/Report;->kept(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v6
    invoke-virtual {v6}, Ljava/lang/String;->isEmpty()Z
    move-result v6
    if-eqz v6, :enrolled
    :new
    invoke-static {v2}, Lappwarden/runtime/Report;->enrol(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v5
    const-string v6, "201 "
    invoke-virtual {v5, v6}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v6
    if-nez v6, :accepted
    const-string v6, "\"collect.proof\"|\"collect.replay\""
    invoke-static {v5, v6}, Lappwarden/runtime/Checks;->part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v6
    if-nez v6, :again
    goto :end
    :accepted
    const-string v6, "device_key"
    invoke-static {v5, v6}, Lappwarden/runtime/Report;->member(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v7
    invoke-static {v0, v6, v7}, Lappwarden/runtime/Report;->keep(Landroid/content/SharedPreferences;Ljava/lang/String;Ljava/lang/String;)V
    const-string v6, "policy_key"
    invoke-static {v5, v6}, Lappwarden/runtime/Report;->member(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v7
    invoke-static {v0, v6, v7}, Lappwarden/runtime/Report;->keep(Landroid/content/SharedPreferences;Ljava/lang/String;Ljava/lang/String;)V
    invoke-static {v5, v1}, Lappwarden/runtime/Report;->member(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v5
    invoke-static {v0, v1, v5}, Lappwarden/runtime/Report;->keep(Landroid/content/SharedPreferences;Ljava/lang/String;Ljava/lang/String;)V
    :enrolled
    iget v3, p0, Lappwarden/runtime/Report;->kind:I
    if-gez v3, :finding
    invoke-static {v0, v5}, Lappwarden/runtime/Policy;->ask(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v5
    goto :answered
    :finding
    # After the enrolment, whose answer set the clock right.
    invoke-direct {p0, v2}, Lappwarden/runtime/Report;->event(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    const-string v6, "device_key"
    invoke-static {v0, v6}, Lappwarden/runtime/Report;->kept(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v6
    const-string v7, "POST\n/collect/v1/events"
    invoke-static {v7, v5, v6, v3}, Lappwarden/runtime/Report;->signed(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v5
    :answered
    # 2xx, and 304 of a policy that is known already.
    const/4 v6, 0x0
    invoke-virtual {v5, v6}, Ljava/lang/String;->charAt(I)C
    move-result v6
    const/16 v7, 0x34
    if-lt v6, v7, :end
    const-string v6, "\"collect.key\"|\"collect.signature\""
    invoke-static {v5, v6}, Lappwarden/runtime/Checks;->part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v6
    if-nez v6, :unknown
    const-string v6, "\"collect.time\"|\"collect.replay\""
    invoke-static {v5, v6}, Lappwarden/runtime/Checks;->part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v6
    if-nez v6, :again
    goto :end
    :unknown
    const-string v6, ""
    invoke-static {v0, v1, v6}, Lappwarden/runtime/Report;->keep(Landroid/content/SharedPreferences;Ljava/lang/String;Ljava/lang/String;)V
    goto :again
    :try_end
    .catchall {:try .. :try_end} :failed
    :end
    monitor-exit v8
    return-void
    :failed
    move-exception v0
    monitor-exit v8
    throw v0
.end method

.method static kept(Landroid/content/SharedPreferences;Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    const-string v0, ""
    invoke-interface {p0, p1, v0}, Landroid/content/SharedPreferences;->getString(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method static keep(Landroid/content/SharedPreferences;Ljava/lang/String;Ljava/lang/String;)V
    .locals 1
    invoke-interface {p0}, Landroid/content/SharedPreferences;->edit()Landroid/content/SharedPreferences$Editor;
    move-result-object v0
    invoke-interface {v0, p1, p2}, Landroid/content/SharedPreferences$Editor;->putString(Ljava/lang/String;Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    move-result-object v0
    invoke-interface {v0}, Landroid/content/SharedPreferences$Editor;->commit()Z
    return-void
.end method

.method private static random()Ljava/lang/String;
    .locals 1
    invoke-static {}, Ljava/util/UUID;->randomUUID()Ljava/util/UUID;
    move-result-object v0
    invoke-virtual {v0}, Ljava/util/UUID;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# Milliseconds by the server's clock.
.method private static now()J
    .locals 4
    invoke-static {}, Ljava/lang/System;->currentTimeMillis()J
    move-result-wide v0
    sget-wide v2, Lappwarden/runtime/Report;->ahead:J
    add-long/2addr v0, v2
    return-wide v0
.end method

# A batch of one event.
.method private event(Ljava/lang/String;)Ljava/lang/String;
    .locals 5
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    const-string v1, "[{\"type\":\"risk\",\"platform\":\"android\",\"occurred_at\":"
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-static {}, Lappwarden/runtime/Report;->now()J
    move-result-wide v1
    invoke-virtual {v0, v1, v2}, Ljava/lang/StringBuilder;->append(J)Ljava/lang/StringBuilder;
    const-string v1, "sdk_version"
    const-string v2, "runtime-1"
    invoke-static {v0, v1, v2}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    const-string v1, "event_id"
    invoke-static {}, Lappwarden/runtime/Report;->random()Ljava/lang/String;
    move-result-object v2
    invoke-static {v0, v1, v2}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    const-string v1, "device_id"
    invoke-static {v0, v1, p1}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    const-string v1, "package_name"
    sget-object v2, Lappwarden/runtime/Checks;->context:Landroid/content/Context;
    invoke-virtual {v2}, Landroid/content/Context;->getPackageName()Ljava/lang/String;
    move-result-object v2
    invoke-static {v0, v1, v2}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    invoke-static {}, Lappwarden/runtime/Report;->version()Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v2}, Ljava/lang/String;->isEmpty()Z
    move-result v1
    if-nez v1, :unversioned
    const-string v1, "app_version"
    invoke-static {v0, v1, v2}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    :unversioned
    const-string v1, "os"
    const-string v2, "Android "
    sget-object v3, Landroid/os/Build$VERSION;->RELEASE:Ljava/lang/String;
    invoke-static {v2, v3}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-static {v0, v1, v2}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    const-string v1, "model"
    sget-object v2, Landroid/os/Build;->MODEL:Ljava/lang/String;
    invoke-static {v0, v1, v2}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    const-string v1, "brand"
    sget-object v2, Landroid/os/Build;->BRAND:Ljava/lang/String;
    invoke-static {v0, v1, v2}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    const-string v1, "risk_type"
    iget v3, p0, Lappwarden/runtime/Report;->kind:I
    invoke-static {v3}, Lappwarden/runtime/Report;->risk(I)Ljava/lang/String;
    move-result-object v2
    invoke-static {v0, v1, v2}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    const-string v1, "action"
    const-string v2, "none|report|warn|exit"
    iget v3, p0, Lappwarden/runtime/Report;->action:I
    invoke-static {v2, v3}, Lappwarden/runtime/Report;->nth(Ljava/lang/String;I)Ljava/lang/String;
    move-result-object v2
    invoke-static {v0, v1, v2}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    const-string v1, "detail"
    invoke-static {v1}, Lappwarden/runtime/Policy;->isOff(Ljava/lang/String;)Z
    move-result v1
    if-nez v1, :done
    const-string v1, ",\"detail\":{\"by\":\"reinforcement\""
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v1, "evidence"
    iget-object v2, p0, Lappwarden/runtime/Report;->evidence:Ljava/lang/String;
    invoke-static {v0, v1, v2}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    const-string v1, "}"
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    :done
    const-string v1, "}]"
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# The risk that a kind of finding is.
.method static risk(I)Ljava/lang/String;
    .locals 1
    const-string v0, "debugger|emulator|hook|multi_open|proxy_vpn|repackaging|integrity|memory_tampering|hook|integrity"
    invoke-static {v0, p0}, Lappwarden/runtime/Report;->nth(Ljava/lang/String;I)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# The version of the app; empty where it has none.
.method static version()Ljava/lang/String;
    .locals 3
    sget-object v0, Lappwarden/runtime/Checks;->context:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getPackageName()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0}, Landroid/content/Context;->getPackageManager()Landroid/content/pm/PackageManager;
    move-result-object v0
    const/4 v2, 0x0
    invoke-virtual {v0, v1, v2}, Landroid/content/pm/PackageManager;->getPackageInfo(Ljava/lang/String;I)Landroid/content/pm/PackageInfo;
    move-result-object v0
    iget-object v0, v0, Landroid/content/pm/PackageInfo;->versionName:Ljava/lang/String;
    if-nez v0, :end
    const-string v0, ""
    :end
    return-object v0
.end method

# The part between bars with this number, from 0.
.method private static nth(Ljava/lang/String;I)Ljava/lang/String;
    .locals 3
    const/4 v0, 0x0
    const/16 v1, 0x7c
    :next
    invoke-virtual {p0, v1, v0}, Ljava/lang/String;->indexOf(II)I
    move-result v2
    if-gez v2, :cut
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v2
    :cut
    if-eqz p1, :found
    add-int/lit8 p1, p1, -0x1
    add-int/lit8 v0, v2, 0x1
    goto :next
    :found
    invoke-virtual {p0, v0, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# `,"name":"text"`, the first 200 characters of the text; what JSON would have to escape becomes an underscore. Nothing where the policy says
# that the field is not sent.
.method private static add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    .locals 4
    invoke-static {p1}, Lappwarden/runtime/Policy;->isOff(Ljava/lang/String;)Z
    move-result v0
    if-eqz v0, :sent
    return-void
    :sent
    const-string v0, ",\""
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {p0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v0, "\":\""
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const/4 v0, 0x0
    :next
    invoke-virtual {p2}, Ljava/lang/String;->length()I
    move-result v1
    if-ge v0, v1, :end
    const/16 v1, 0xc8
    if-ge v0, v1, :end
    invoke-virtual {p2, v0}, Ljava/lang/String;->charAt(I)C
    move-result v1
    const/16 v2, 0x20
    if-lt v1, v2, :replace
    const/16 v2, 0x7e
    if-gt v1, v2, :replace
    const/16 v2, 0x22
    if-eq v1, v2, :replace
    const/16 v2, 0x5c
    if-ne v1, v2, :plain
    :replace
    const/16 v1, 0x5f
    :plain
    invoke-virtual {p0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    add-int/lit8 v0, v0, 0x1
    goto :next
    :end
    const/16 v1, 0x22
    invoke-virtual {p0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    return-void
.end method

# The text of a member of a JSON object; '' where it is not there.
.method static member(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 3
    const-string v0, "\""
    invoke-static {v0, p1}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    const-string v2, "\":\""
    invoke-static {v1, v2}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {p0, v1}, Ljava/lang/String;->indexOf(Ljava/lang/String;)I
    move-result v2
    if-ltz v2, :none
    invoke-virtual {v1}, Ljava/lang/String;->length()I
    move-result v1
    add-int/2addr v1, v2
    invoke-virtual {p0, v0, v1}, Ljava/lang/String;->indexOf(Ljava/lang/String;I)I
    move-result v2
    if-ltz v2, :none
    invoke-virtual {p0, v1, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :none
    const-string v0, ""
    return-object v0
.end method

# A proof of work of 18 bits comes with an enrolment: SHA-256 of key, device, minute and nonce begins with zeros.
.method private static enrol(Ljava/lang/String;)Ljava/lang/String;
    .locals 7
    invoke-static {}, Lappwarden/runtime/Report;->now()J
    move-result-wide v0
    const-wide/32 v2, 0xea60
    div-long/2addr v0, v2
    invoke-static {v0, v1}, Ljava/lang/String;->valueOf(J)Ljava/lang/String;
    move-result-object v0
    sget-object v1, Lappwarden/runtime/Report;->enrolment:Ljava/lang/String;
    invoke-static {v1, p0}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-static {v2, v0}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v2}, Ljava/lang/String;->getBytes()[B
    move-result-object v2
    const-string v3, "SHA-256"
    invoke-static {v3}, Ljava/security/MessageDigest;->getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;
    move-result-object v3
    # From a random number on: the same proof counts once.
    invoke-static {}, Lappwarden/runtime/Report;->random()Ljava/lang/String;
    move-result-object v5
    invoke-virtual {v5}, Ljava/lang/String;->hashCode()I
    move-result v4
    const v5, 0x3fffffff
    and-int/2addr v4, v5
    :next
    add-int/lit8 v4, v4, 0x1
    invoke-virtual {v3, v2}, Ljava/security/MessageDigest;->update([B)V
    invoke-static {v4}, Ljava/lang/String;->valueOf(I)Ljava/lang/String;
    move-result-object v5
    invoke-virtual {v5}, Ljava/lang/String;->getBytes()[B
    move-result-object v5
    invoke-virtual {v3, v5}, Ljava/security/MessageDigest;->digest([B)[B
    move-result-object v5
    const/4 v6, 0x0
    aget-byte v6, v5, v6
    if-nez v6, :next
    const/4 v6, 0x1
    aget-byte v6, v5, v6
    if-nez v6, :next
    const/4 v6, 0x2
    aget-byte v6, v5, v6
    and-int/lit16 v6, v6, 0xc0
    if-nez v6, :next
    new-instance v2, Ljava/lang/StringBuilder;
    invoke-direct {v2}, Ljava/lang/StringBuilder;-><init>()V
    const-string v3, "{\"proof\":{\"salt\":"
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v2, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v3, "nonce"
    invoke-static {v4}, Ljava/lang/String;->valueOf(I)Ljava/lang/String;
    move-result-object v4
    invoke-static {v2, v3, v4}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    const-string v3, "}"
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v3, "enrolment_key"
    invoke-static {v2, v3, v1}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    const-string v3, "device_id"
    invoke-static {v2, v3, p0}, Lappwarden/runtime/Report;->add(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)V
    const-string v3, "}"
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v2}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v2
    const-string v0, "POST\n/collect/v1/enrol"
    const/4 v1, 0x0
    new-array v1, v1, [Ljava/lang/String;
    invoke-static {v0, v2, v1}, Lappwarden/runtime/Report;->ask(Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method private static base64([B)Ljava/lang/String;
    .locals 1
    # URL_SAFE, NO_WRAP, NO_PADDING
    const/16 v0, 0xb
    invoke-static {p0, v0}, Landroid/util/Base64;->encodeToString([BI)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method private static sha256(Ljava/lang/String;)[B
    .locals 2
    const-string v0, "SHA-256"
    invoke-static {v0}, Ljava/security/MessageDigest;->getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;
    move-result-object v0
    invoke-virtual {p0}, Ljava/lang/String;->getBytes()[B
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/security/MessageDigest;->digest([B)[B
    move-result-object v0
    return-object v0
.end method

# Method, line feed and path; id and key of the install; body. Asked signed with the key; a GET names the policy that is known.
.method static signed(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 8
    invoke-static {}, Lappwarden/runtime/Report;->now()J
    move-result-wide v0
    invoke-static {v0, v1}, Ljava/lang/String;->valueOf(J)Ljava/lang/String;
    move-result-object v2
    const-wide/16 v3, 0x3e8
    div-long/2addr v0, v3
    invoke-static {v0, v1}, Ljava/lang/String;->valueOf(J)Ljava/lang/String;
    move-result-object v3
    # Sixteen bytes that follow from random ones.
    invoke-static {}, Lappwarden/runtime/Report;->random()Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lappwarden/runtime/Report;->sha256(Ljava/lang/String;)[B
    move-result-object v0
    const/16 v1, 0x10
    new-array v4, v1, [B
    const/4 v5, 0x0
    invoke-static {v0, v5, v4, v5, v1}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    invoke-static {v4}, Lappwarden/runtime/Report;->base64([B)Ljava/lang/String;
    move-result-object v4
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    const-string v1, "AW2\n"
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0, p0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const/16 v1, 0xa
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    invoke-virtual {v0, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    invoke-virtual {v0, v4}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    invoke-static {p3}, Lappwarden/runtime/Report;->sha256(Ljava/lang/String;)[B
    move-result-object v1
    invoke-static {v1}, Lappwarden/runtime/Report;->base64([B)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/String;->getBytes()[B
    move-result-object v0
    const/16 v1, 0xb
    invoke-static {p2, v1}, Landroid/util/Base64;->decode(Ljava/lang/String;I)[B
    move-result-object v1
    const-string v5, "HmacSHA256"
    new-instance v6, Ljavax/crypto/spec/SecretKeySpec;
    invoke-direct {v6, v1, v5}, Ljavax/crypto/spec/SecretKeySpec;-><init>([BLjava/lang/String;)V
    invoke-static {v5}, Ljavax/crypto/Mac;->getInstance(Ljava/lang/String;)Ljavax/crypto/Mac;
    move-result-object v5
    invoke-virtual {v5, v6}, Ljavax/crypto/Mac;->init(Ljava/security/Key;)V
    invoke-virtual {v5, v0}, Ljavax/crypto/Mac;->doFinal([B)[B
    move-result-object v0
    invoke-static {v0}, Lappwarden/runtime/Report;->base64([B)Ljava/lang/String;
    move-result-object v0
    new-instance v1, Ljava/lang/StringBuilder;
    invoke-direct {v1}, Ljava/lang/StringBuilder;-><init>()V
    const-string v5, "2."
    invoke-virtual {v1, v5}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v1, v4}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const/16 v5, 0x2e
    invoke-virtual {v1, v5}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    invoke-virtual {v1, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v1}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v4
    const/16 v0, 0x8
    new-array v0, v0, [Ljava/lang/String;
    const/4 v1, 0x0
    const-string v5, "x-aw-install"
    aput-object v5, v0, v1
    const/4 v1, 0x1
    aput-object p1, v0, v1
    const/4 v1, 0x2
    const-string v5, "x-aw-seq"
    aput-object v5, v0, v1
    const/4 v1, 0x3
    aput-object v2, v0, v1
    const/4 v1, 0x4
    const-string v5, "x-aw-tstamp"
    aput-object v5, v0, v1
    const/4 v1, 0x5
    aput-object v3, v0, v1
    const/4 v1, 0x6
    const-string v5, "x-aw-signature"
    aput-object v5, v0, v1
    const/4 v1, 0x7
    aput-object v4, v0, v1
    invoke-static {p0, p3, v0}, Lappwarden/runtime/Report;->ask(Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# Method, line feed and path; body, of which a GET has none; headers. Status, space and body of the answer; the server's time in it sets the clock.
.method private static ask(Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;)Ljava/lang/String;
    .locals 8
    const/16 v0, 0xa
    invoke-virtual {p0, v0}, Ljava/lang/String;->indexOf(I)I
    move-result v0
    const/4 v1, 0x0
    invoke-virtual {p0, v1, v0}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v7
    add-int/lit8 v0, v0, 0x1
    invoke-virtual {p0, v0}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object p0
    sget-object v0, Lappwarden/runtime/Report;->address:Ljava/lang/String;
    invoke-static {v0, p0}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    new-instance v1, Ljava/net/URL;
    invoke-direct {v1, v0}, Ljava/net/URL;-><init>(Ljava/lang/String;)V
    invoke-virtual {v1}, Ljava/net/URL;->openConnection()Ljava/net/URLConnection;
    move-result-object v0
    check-cast v0, Ljava/net/HttpURLConnection;
    const/16 v1, 0xbb8
    invoke-virtual {v0, v1}, Ljava/net/HttpURLConnection;->setConnectTimeout(I)V
    invoke-virtual {v0, v1}, Ljava/net/HttpURLConnection;->setReadTimeout(I)V
    const/4 v1, 0x0
    invoke-virtual {v0, v1}, Ljava/net/HttpURLConnection;->setInstanceFollowRedirects(Z)V
    invoke-virtual {v0, v7}, Ljava/net/HttpURLConnection;->setRequestMethod(Ljava/lang/String;)V
    const/4 v1, 0x0
    :next
    array-length v2, p2
    if-ge v1, v2, :body
    aget-object v2, p2, v1
    add-int/lit8 v1, v1, 0x1
    aget-object v3, p2, v1
    add-int/lit8 v1, v1, 0x1
    invoke-virtual {v0, v2, v3}, Ljava/net/HttpURLConnection;->setRequestProperty(Ljava/lang/String;Ljava/lang/String;)V
    goto :next
    :body
    invoke-virtual {p1}, Ljava/lang/String;->isEmpty()Z
    move-result v1
    if-eqz v1, :post
    const-string v1, "if-none-match"
    sget-object v2, Lappwarden/runtime/Policy;->etag:Ljava/lang/String;
    invoke-virtual {v0, v1, v2}, Ljava/net/HttpURLConnection;->setRequestProperty(Ljava/lang/String;Ljava/lang/String;)V
    invoke-virtual {v0}, Ljava/net/HttpURLConnection;->getResponseCode()I
    move-result v1
    const-string v2, "etag"
    invoke-virtual {v0, v2}, Ljava/net/HttpURLConnection;->getHeaderField(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    sput-object v2, Lappwarden/runtime/Policy;->etag:Ljava/lang/String;
    const-string v2, "x-aw-policy-signature"
    invoke-virtual {v0, v2}, Ljava/net/HttpURLConnection;->getHeaderField(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    sput-object v2, Lappwarden/runtime/Policy;->signature:Ljava/lang/String;
    goto :asked
    :post
    const/4 v1, 0x1
    invoke-virtual {v0, v1}, Ljava/net/HttpURLConnection;->setDoOutput(Z)V
    const-string v1, "content-type"
    const-string v2, "application/json"
    invoke-virtual {v0, v1, v2}, Ljava/net/HttpURLConnection;->setRequestProperty(Ljava/lang/String;Ljava/lang/String;)V
    invoke-virtual {p1}, Ljava/lang/String;->getBytes()[B
    move-result-object v1
    array-length v2, v1
    invoke-virtual {v0, v2}, Ljava/net/HttpURLConnection;->setFixedLengthStreamingMode(I)V
    invoke-virtual {v0}, Ljava/net/HttpURLConnection;->getOutputStream()Ljava/io/OutputStream;
    move-result-object v2
    invoke-virtual {v2, v1}, Ljava/io/OutputStream;->write([B)V
    invoke-virtual {v2}, Ljava/io/OutputStream;->close()V
    invoke-virtual {v0}, Ljava/net/HttpURLConnection;->getResponseCode()I
    move-result v1
    :asked
    const/4 v2, 0x1
    sput-boolean v2, Lappwarden/runtime/Policy;->answered:Z
    const/16 v2, 0x190
    if-ge v1, v2, :refused
    invoke-virtual {v0}, Ljava/net/HttpURLConnection;->getInputStream()Ljava/io/InputStream;
    move-result-object v2
    goto :read
    :refused
    invoke-virtual {v0}, Ljava/net/HttpURLConnection;->getErrorStream()Ljava/io/InputStream;
    move-result-object v2
    :read
    # Policies have some kilobytes, other answers less: what does not fit is not read.
    const/high16 v3, 0x10000
    new-array v3, v3, [B
    const/4 v4, 0x0
    if-eqz v2, :end
    :more
    array-length v5, v3
    sub-int/2addr v5, v4
    if-eqz v5, :end
    invoke-virtual {v2, v3, v4, v5}, Ljava/io/InputStream;->read([BII)I
    move-result v5
    if-lez v5, :end
    add-int/2addr v4, v5
    goto :more
    :end
    invoke-virtual {v0}, Ljava/net/HttpURLConnection;->disconnect()V
    new-instance v0, Ljava/lang/String;
    const/4 v2, 0x0
    const-string v5, "UTF-8"
    invoke-direct {v0, v3, v2, v4, v5}, Ljava/lang/String;-><init>([BIILjava/lang/String;)V
    invoke-static {v0}, Lappwarden/runtime/Report;->learn(Ljava/lang/String;)V
    new-instance v2, Ljava/lang/StringBuilder;
    invoke-direct {v2}, Ljava/lang/StringBuilder;-><init>()V
    invoke-virtual {v2, v1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    const/16 v1, 0x20
    invoke-virtual {v2, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    invoke-virtual {v2, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v2}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method private static learn(Ljava/lang/String;)V
    .locals 6
    const-string v0, "\"server_time\":"
    invoke-virtual {p0, v0}, Ljava/lang/String;->indexOf(Ljava/lang/String;)I
    move-result v0
    if-ltz v0, :end
    add-int/lit8 v0, v0, 0xe
    const-wide/16 v1, 0x0
    :next
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v3
    if-ge v0, v3, :read
    invoke-virtual {p0, v0}, Ljava/lang/String;->charAt(I)C
    move-result v3
    add-int/lit8 v3, v3, -0x30
    if-ltz v3, :read
    const/16 v4, 0x9
    if-gt v3, v4, :read
    const-wide/16 v4, 0xa
    mul-long/2addr v1, v4
    int-to-long v4, v3
    add-long/2addr v1, v4
    add-int/lit8 v0, v0, 0x1
    goto :next
    :read
    invoke-static {}, Ljava/lang/System;->currentTimeMillis()J
    move-result-wide v3
    sub-long/2addr v1, v3
    sput-wide v1, Lappwarden/runtime/Report;->ahead:J
    :end
    return-void
.end method
