# The checks. Kinds: 0 debugger, 1 emulator, 2 hook, 3 multi-open, 4 proxy, 5 signature, 6 integrity, 7 memory,
# 8 core libraries, 9 shell, and 10, the part of hook that reads the memory maps, which takes longer. A check answers its evidence, or null; one that throws finds nothing, so that no check can break the app.
.class public final Lappwarden/runtime/Checks;
.super Ljava/lang/Object;
.implements Ljava/lang/Runnable;

# Constants of the build, which the engine writes.
# A digit for each kind: 0 off, 1 report, 2 warn, 3 exit.
.field static actions:Ljava/lang/String; = "00000000000"
# SHA-256 of the certificate of the release, lower-case hexadecimal.
.field static certificate:Ljava/lang/String; = ""
# Between two line feeds: name of an entry, space, SHA-256.
.field static entries:Ljava/lang/String; = ""
# The entry that holds this class, which cannot hold its own hash.
.field static own:Ljava/lang/String; = ""

.field static context:Landroid/content/Context;
# A bit for each kind that was found in this process.
.field static found:I

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method static start(Landroid/content/Context;)V
    .locals 2
    :try
    sput-object p0, Lappwarden/runtime/Checks;->context:Landroid/content/Context;
    invoke-static {}, Lappwarden/runtime/Policy;->open()V
    const/4 v0, 0x0
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    const/4 v0, 0x1
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    const/4 v0, 0x2
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    const/4 v0, 0x3
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    const/4 v0, 0x5
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    const/16 v0, 0x9
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    const/4 v0, 0x7
    invoke-static {v0}, Lappwarden/runtime/Checks;->actionOn(I)I
    move-result v0
    if-eqz v0, :beside
    invoke-static {}, Lappwarden/runtime/Memory;->forbid()V
    :beside
    new-instance v0, Lappwarden/runtime/Checks;
    invoke-direct {v0}, Lappwarden/runtime/Checks;-><init>()V
    new-instance v1, Ljava/lang/Thread;
    invoke-direct {v1, v0}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;)V
    const/4 v0, 0x1
    invoke-virtual {v1, v0}, Ljava/lang/Thread;->setDaemon(Z)V
    invoke-virtual {v1}, Ljava/lang/Thread;->start()V
    :try_end
    .catchall {:try .. :try_end} :failed
    return-void
    :failed
    move-exception v0
    return-void
.end method

# What takes longer, then what may come later, again and again until it is found.
.method public run()V
    .locals 3
    :try
    invoke-static {}, Lappwarden/runtime/Policy;->start()V
    const/16 v0, 0xa
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    const/16 v0, 0x8
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    const/4 v0, 0x7
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    const/4 v0, 0x4
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    const/4 v0, 0x6
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    :again
    const/4 v0, 0x0
    invoke-static {v0}, Lappwarden/runtime/Checks;->isLookedFor(I)Z
    move-result v1
    const/4 v0, 0x7
    invoke-static {v0}, Lappwarden/runtime/Checks;->isLookedFor(I)Z
    move-result v2
    or-int/2addr v1, v2
    const/16 v0, 0x8
    invoke-static {v0}, Lappwarden/runtime/Checks;->isLookedFor(I)Z
    move-result v2
    or-int/2addr v1, v2
    if-eqz v1, :end
    const-wide/16 v1, 0x1388
    invoke-static {v1, v2}, Ljava/lang/Thread;->sleep(J)V
    const/4 v0, 0x0
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    const/4 v0, 0x7
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    const/16 v0, 0x8
    invoke-static {v0}, Lappwarden/runtime/Checks;->look(I)V
    goto :again
    :try_end
    .catchall {:try .. :try_end} :failed
    :end
    return-void
    :failed
    move-exception v0
    return-void
.end method

# Whether a kind is wanted and was not found yet.
.method static isLookedFor(I)Z
    .locals 2
    invoke-static {p0}, Lappwarden/runtime/Checks;->actionOn(I)I
    move-result v0
    if-eqz v0, :no
    sget v0, Lappwarden/runtime/Checks;->found:I
    shr-int/2addr v0, p0
    and-int/lit8 v0, v0, 0x1
    xor-int/lit8 v0, v0, 0x1
    :no
    return v0
.end method

.method static actionOn(I)I
    .locals 1
    sget-object v0, Lappwarden/runtime/Checks;->actions:Ljava/lang/String;
    invoke-virtual {v0, p0}, Ljava/lang/String;->charAt(I)C
    move-result v0
    add-int/lit8 v0, v0, -0x30
    return v0
.end method

.method static look(I)V
    .locals 2
    :try
    invoke-static {p0}, Lappwarden/runtime/Checks;->isLookedFor(I)Z
    move-result v0
    if-eqz v0, :end
    invoke-static {p0}, Lappwarden/runtime/Checks;->actionOn(I)I
    move-result v0
    invoke-static {p0}, Lappwarden/runtime/Checks;->evidenceOf(I)Ljava/lang/String;
    move-result-object v1
    if-eqz v1, :end
    invoke-static {p0, v0, v1}, Lappwarden/runtime/Checks;->act(IILjava/lang/String;)V
    :try_end
    .catchall {:try .. :try_end} :failed
    :end
    return-void
    :failed
    move-exception v0
    return-void
.end method

.method static evidenceOf(I)Ljava/lang/String;
    .locals 1
    packed-switch p0, :kinds
    const/4 v0, 0x0
    return-object v0
    :debugger
    invoke-static {}, Lappwarden/runtime/Checks;->debugger()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :emulator
    invoke-static {}, Lappwarden/runtime/Checks;->emulator()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :hook
    invoke-static {}, Lappwarden/runtime/Checks;->hook()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :multi_open
    invoke-static {}, Lappwarden/runtime/Checks;->multiOpen()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :proxy
    invoke-static {}, Lappwarden/runtime/Checks;->proxy()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :signature
    invoke-static {}, Lappwarden/runtime/Checks;->signature()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :integrity
    invoke-static {}, Lappwarden/runtime/Checks;->integrity()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :memory
    invoke-static {}, Lappwarden/runtime/Memory;->find()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :libraries
    invoke-static {}, Lappwarden/runtime/Libraries;->find()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :shell
    invoke-static {}, Lappwarden/runtime/Shell;->find()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :maps
    invoke-static {}, Lappwarden/runtime/Checks;->maps()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :kinds
    .packed-switch 0x0
        :debugger
        :emulator
        :hook
        :multi_open
        :proxy
        :signature
        :integrity
        :memory
        :libraries
        :shell
        :maps
    .end packed-switch
.end method

# Ends the process.
.method static end()V
    .locals 1
    invoke-static {}, Landroid/os/Process;->myPid()I
    move-result v0
    invoke-static {v0}, Landroid/os/Process;->killProcess(I)V
    const/16 v0, 0xa
    invoke-static {v0}, Ljava/lang/System;->exit(I)V
    return-void
.end method

# Once a process for each kind.
.method static act(IILjava/lang/String;)V
    .locals 3
    const-class v2, Lappwarden/runtime/Checks;
    monitor-enter v2
    :try
    const/16 v0, 0xa
    if-ne p0, v0, :kind
    const/4 p0, 0x2
    :kind
    const/4 v0, 0x1
    shl-int/2addr v0, p0
    sget v1, Lappwarden/runtime/Checks;->found:I
    and-int/2addr v1, v0
    if-nez v1, :end
    sget v1, Lappwarden/runtime/Checks;->found:I
    or-int/2addr v1, v0
    sput v1, Lappwarden/runtime/Checks;->found:I
    invoke-static {p0, p1}, Lappwarden/runtime/Policy;->action(II)I
    move-result p1
    if-eqz p1, :end
    invoke-static {p0, p1, p2}, Lappwarden/runtime/Report;->start(IILjava/lang/String;)V
    const/4 v0, 0x2
    if-lt p1, v0, :end
    if-gt p1, v0, :exit
    invoke-static {}, Landroid/os/Looper;->getMainLooper()Landroid/os/Looper;
    move-result-object v0
    new-instance v1, Landroid/os/Handler;
    invoke-direct {v1, v0}, Landroid/os/Handler;-><init>(Landroid/os/Looper;)V
    new-instance v0, Lappwarden/runtime/Notice;
    invoke-static {p0}, Lappwarden/runtime/Policy;->text(I)Ljava/lang/String;
    move-result-object p0
    invoke-direct {v0, p0}, Lappwarden/runtime/Notice;-><init>(Ljava/lang/String;)V
    invoke-virtual {v1, v0}, Landroid/os/Handler;->post(Ljava/lang/Runnable;)Z
    goto :end
    :exit
    invoke-static {}, Lappwarden/runtime/Checks;->end()V
    :try_end
    .catchall {:try .. :try_end} :failed
    :end
    monitor-exit v2
    return-void
    :failed
    move-exception v0
    monitor-exit v2
    throw v0
.end method

.method static debugger()Ljava/lang/String;
    .locals 4
    invoke-static {}, Landroid/os/Debug;->isDebuggerConnected()Z
    move-result v0
    if-eqz v0, :native
    const-string v0, "debugger connected"
    return-object v0
    :native
    const-string v0, "/proc/self/status"
    invoke-static {v0}, Lappwarden/runtime/Checks;->read(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    const-string v1, "TracerPid:"
    invoke-virtual {v0, v1}, Ljava/lang/String;->indexOf(Ljava/lang/String;)I
    move-result v1
    if-ltz v1, :none
    const/16 v2, 0xa
    invoke-virtual {v0, v2, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v2
    if-ltz v2, :none
    add-int/lit8 v3, v1, 0xa
    invoke-virtual {v0, v3, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v3}, Ljava/lang/String;->trim()Ljava/lang/String;
    move-result-object v3
    const-string v1, "0"
    invoke-virtual {v1, v3}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v1
    if-nez v1, :none
    const-string v0, "traced by process "
    invoke-static {v0, v3}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :none
    const/4 v0, 0x0
    return-object v0
.end method

# The first of the parts between bars that the text contains, or null.
.method static part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 4
    const/4 v0, 0x0
    :next
    invoke-virtual {p1}, Ljava/lang/String;->length()I
    move-result v1
    if-ge v0, v1, :none
    const/16 v2, 0x7c
    invoke-virtual {p1, v2, v0}, Ljava/lang/String;->indexOf(II)I
    move-result v2
    if-gez v2, :cut
    move v2, v1
    :cut
    invoke-virtual {p1, v0, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    invoke-virtual {p0, v3}, Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z
    move-result v0
    if-eqz v0, :other
    return-object v3
    :other
    add-int/lit8 v0, v2, 0x1
    goto :next
    :none
    const/4 v0, 0x0
    return-object v0
.end method

# Adds the value to the signs where it contains one of the parts, and answers 1 then. `^` in a part is its start and `$` its end.
.method static sign(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)I
    .locals 2
    const-string v0, "^"
    invoke-static {v0, p1}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    const-string v1, "$"
    invoke-static {v0, v1}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {v0, p2}, Lappwarden/runtime/Checks;->part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-nez v0, :found
    const/4 v0, 0x0
    return v0
    :found
    invoke-virtual {p0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v0, "; "
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const/4 v0, 0x1
    return v0
.end method

# Two signs, since a phone may show one for reasons of its own.
.method static emulator()Ljava/lang/String;
    .locals 7
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    const/4 v1, 0x0
    sget-object v2, Landroid/os/Build;->FINGERPRINT:Ljava/lang/String;
    const-string v3, "^generic/|^generic_x86|^Android/sdk_|/sdk_gphone|/vbox86p"
    invoke-static {v0, v2, v3}, Lappwarden/runtime/Checks;->sign(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)I
    move-result v2
    add-int/2addr v1, v2
    sget-object v2, Landroid/os/Build;->HARDWARE:Ljava/lang/String;
    const-string v3, "^goldfish|^ranchu$|^vbox86|^ttVM_x86|^nox$|^cancro_x86|^android_x86"
    invoke-static {v0, v2, v3}, Lappwarden/runtime/Checks;->sign(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)I
    move-result v2
    add-int/2addr v1, v2
    sget-object v2, Landroid/os/Build;->PRODUCT:Ljava/lang/String;
    const-string v3, "^sdk$|^google_sdk|^sdk_x86|^sdk_gphone|^sdk_google|^vbox86p|^emulator"
    invoke-static {v0, v2, v3}, Lappwarden/runtime/Checks;->sign(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)I
    move-result v2
    add-int/2addr v1, v2
    sget-object v2, Landroid/os/Build;->MODEL:Ljava/lang/String;
    const-string v3, "^sdk_gphone|Android SDK built for|^Emulator|^google_sdk"
    invoke-static {v0, v2, v3}, Lappwarden/runtime/Checks;->sign(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)I
    move-result v2
    add-int/2addr v1, v2
    sget-object v2, Landroid/os/Build;->MANUFACTURER:Ljava/lang/String;
    const-string v3, "Genymotion|Genymobile"
    invoke-static {v0, v2, v3}, Lappwarden/runtime/Checks;->sign(Ljava/lang/StringBuilder;Ljava/lang/String;Ljava/lang/String;)I
    move-result v2
    add-int/2addr v1, v2
    const-string v2, "/dev/qemu_pipe|/dev/goldfish_pipe|/dev/socket/qemud|/dev/vboxguest|/dev/vboxuser|/system/bin/nox-prop|/system/lib/libnoxspeedup.so|/system/bin/microvirt-prop|/system/bin/ldinit|/system/lib/libldutils.so|/system/lib/libdroid4x.so|/data/.bluestacks.prop"
    const/4 v3, 0x0
    :next
    const/16 v4, 0x7c
    invoke-virtual {v2, v4, v3}, Ljava/lang/String;->indexOf(II)I
    move-result v4
    if-ltz v4, :last
    invoke-virtual {v2, v3, v4}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v5
    add-int/lit8 v3, v4, 0x1
    goto :look
    :last
    invoke-virtual {v2, v3}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v5
    :look
    new-instance v6, Ljava/io/File;
    invoke-direct {v6, v5}, Ljava/io/File;-><init>(Ljava/lang/String;)V
    invoke-virtual {v6}, Ljava/io/File;->exists()Z
    move-result v6
    if-eqz v6, :absent
    add-int/lit8 v1, v1, 0x1
    invoke-virtual {v0, v5}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v5, "; "
    invoke-virtual {v0, v5}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    :absent
    if-gez v4, :next
    const/4 v2, 0x2
    if-ge v1, v2, :found
    const/4 v0, 0x0
    return-object v0
    :found
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# A frame of a hooking framework below this call, or its class beside those of Android; the app's own loader would find a copy that the app holds.
.method static hook()Ljava/lang/String;
    .locals 5
    new-instance v0, Ljava/lang/Throwable;
    invoke-direct {v0}, Ljava/lang/Throwable;-><init>()V
    invoke-virtual {v0}, Ljava/lang/Throwable;->getStackTrace()[Ljava/lang/StackTraceElement;
    move-result-object v0
    const/4 v1, 0x0
    :next
    array-length v2, v0
    if-ge v1, v2, :frames
    aget-object v2, v0, v1
    invoke-virtual {v2}, Ljava/lang/StackTraceElement;->getClassName()Ljava/lang/String;
    move-result-object v2
    const-string v3, "de.robv.android.xposed|org.lsposed|com.elderdrivers.riru|com.saurik.substrate|me.weishu.epic"
    invoke-static {v2, v3}, Lappwarden/runtime/Checks;->part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    if-eqz v3, :other
    const-string v0, "frame "
    invoke-static {v0, v2}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :other
    add-int/lit8 v1, v1, 0x1
    goto :next
    :frames
    const-string v0, "de.robv.android.xposed.XposedBridge"
    invoke-static {}, Ljava/lang/ClassLoader;->getSystemClassLoader()Ljava/lang/ClassLoader;
    move-result-object v1
    const/4 v2, 0x0
    :try
    invoke-static {v0, v2, v1}, Ljava/lang/Class;->forName(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;
    :try_end
    .catch Ljava/lang/ClassNotFoundException; {:try .. :try_end} :absent
    const-string v1, "class "
    invoke-static {v1, v0}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :absent
    move-exception v0
    const/4 v0, 0x0
    return-object v0
.end method

# Names that no folder of an installed package can contain by chance: those are 22 characters of base64.
.method static maps()Ljava/lang/String;
    .locals 2
    const-string v0, "/proc/self/maps"
    invoke-static {v0}, Lappwarden/runtime/Checks;->read(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    const-string v1, "frida-agent|frida-gadget|re.frida.server|XposedBridge|/lspd/|liblspd.so|libriru|libedxp|libsubstrate|libsandhook|libwhale.edxp"
    invoke-static {v0, v1}, Lappwarden/runtime/Checks;->part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-eqz v0, :none
    const-string v1, "mapped "
    invoke-static {v1, v0}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    :none
    return-object v0
.end method

.method static multiOpen()Ljava/lang/String;
    .locals 7
    sget-object v0, Lappwarden/runtime/Checks;->context:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getPackageName()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0}, Landroid/content/Context;->getApplicationInfo()Landroid/content/pm/ApplicationInfo;
    move-result-object v2
    # The package file: installed ones lie in no folder of an app.
    iget-object v3, v2, Landroid/content/pm/ApplicationInfo;->sourceDir:Ljava/lang/String;
    const-string v4, "/data/data/|/data/user/|/data/user_de/"
    invoke-static {v3, v4}, Lappwarden/runtime/Checks;->part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v4
    if-eqz v4, :folder
    return-object v3
    :folder
    # /data/data/PACKAGE, /data/user/0/PACKAGE, /data/user_de/0/PACKAGE, /mnt/expand/VOLUME/user/0/PACKAGE.
    iget-object v3, v2, Landroid/content/pm/ApplicationInfo;->dataDir:Ljava/lang/String;
    const-string v4, "/"
    invoke-static {v4, v1}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v4
    invoke-virtual {v3, v4}, Ljava/lang/String;->endsWith(Ljava/lang/String;)Z
    move-result v4
    if-eqz v4, :foreign
    const/4 v4, 0x0
    const/4 v5, -0x1
    :slash
    add-int/lit8 v5, v5, 0x1
    const/16 v6, 0x2f
    invoke-virtual {v3, v6, v5}, Ljava/lang/String;->indexOf(II)I
    move-result v5
    if-ltz v5, :counted
    add-int/lit8 v4, v4, 0x1
    goto :slash
    :counted
    const-string v5, "/data/data/"
    const/4 v6, 0x3
    invoke-virtual {v3, v5}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v5
    if-nez v5, :deep
    const-string v5, "/data/user"
    const/4 v6, 0x4
    invoke-virtual {v3, v5}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v5
    if-nez v5, :deep
    const-string v5, "/mnt/expand/"
    const/4 v6, 0x6
    invoke-virtual {v3, v5}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v5
    if-eqz v5, :foreign
    :deep
    if-ne v4, v6, :foreign
    # The user: makers keep clones as user 999 or 95.
    invoke-static {}, Landroid/os/Process;->myUid()I
    move-result v4
    const v5, 0x186a0
    div-int v5, v4, v5
    const/16 v6, 0x3e7
    if-eq v5, v6, :clone
    const/16 v6, 0x5f
    if-eq v5, v6, :clone
    # The uid: it is that of other packages alone.
    invoke-virtual {v0}, Landroid/content/Context;->getPackageManager()Landroid/content/pm/PackageManager;
    move-result-object v5
    invoke-virtual {v5, v4}, Landroid/content/pm/PackageManager;->getPackagesForUid(I)[Ljava/lang/String;
    move-result-object v4
    if-eqz v4, :none
    const/4 v5, 0x0
    :next
    array-length v6, v4
    if-ge v5, v6, :others
    aget-object v6, v4, v5
    invoke-virtual {v1, v6}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v6
    if-nez v6, :none
    add-int/lit8 v5, v5, 0x1
    goto :next
    :others
    const-string v0, "uid of another package"
    return-object v0
    :clone
    const-string v0, "user of clones"
    return-object v0
    :foreign
    return-object v3
    :none
    const/4 v0, 0x0
    return-object v0
.end method

.method static proxy()Ljava/lang/String;
    .locals 3
    const-string v0, "http.proxyHost"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-eqz v0, :https
    invoke-virtual {v0}, Ljava/lang/String;->isEmpty()Z
    move-result v1
    if-eqz v1, :found
    :https
    const-string v0, "https.proxyHost"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-eqz v0, :network
    invoke-virtual {v0}, Ljava/lang/String;->isEmpty()Z
    move-result v1
    if-eqz v1, :found
    :network
    sget v0, Landroid/os/Build$VERSION;->SDK_INT:I
    const/16 v1, 0x17
    if-lt v0, v1, :none
    sget-object v0, Lappwarden/runtime/Checks;->context:Landroid/content/Context;
    const-string v1, "connectivity"
    invoke-virtual {v0, v1}, Landroid/content/Context;->getSystemService(Ljava/lang/String;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Landroid/net/ConnectivityManager;
    if-eqz v0, :none
    invoke-virtual {v0}, Landroid/net/ConnectivityManager;->getDefaultProxy()Landroid/net/ProxyInfo;
    move-result-object v0
    if-eqz v0, :none
    invoke-virtual {v0}, Landroid/net/ProxyInfo;->getHost()Ljava/lang/String;
    move-result-object v0
    if-eqz v0, :none
    invoke-virtual {v0}, Ljava/lang/String;->isEmpty()Z
    move-result v1
    if-nez v1, :none
    :found
    const-string v1, "proxy "
    invoke-static {v1, v0}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :none
    const/4 v0, 0x0
    return-object v0
.end method

# The certificates that the package is signed with now; one of them has to be that of the release.
.method static signature()Ljava/lang/String;
    .locals 6
    sget-object v0, Lappwarden/runtime/Checks;->context:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getPackageManager()Landroid/content/pm/PackageManager;
    move-result-object v1
    invoke-virtual {v0}, Landroid/content/Context;->getPackageName()Ljava/lang/String;
    move-result-object v0
    sget v2, Landroid/os/Build$VERSION;->SDK_INT:I
    const/16 v3, 0x1c
    if-lt v2, v3, :older
    const/high16 v2, 0x8000000
    invoke-virtual {v1, v0, v2}, Landroid/content/pm/PackageManager;->getPackageInfo(Ljava/lang/String;I)Landroid/content/pm/PackageInfo;
    move-result-object v0
    iget-object v0, v0, Landroid/content/pm/PackageInfo;->signingInfo:Landroid/content/pm/SigningInfo;
    invoke-virtual {v0}, Landroid/content/pm/SigningInfo;->getApkContentsSigners()[Landroid/content/pm/Signature;
    move-result-object v0
    goto :compare
    :older
    const/16 v2, 0x40
    invoke-virtual {v1, v0, v2}, Landroid/content/pm/PackageManager;->getPackageInfo(Ljava/lang/String;I)Landroid/content/pm/PackageInfo;
    move-result-object v0
    iget-object v0, v0, Landroid/content/pm/PackageInfo;->signatures:[Landroid/content/pm/Signature;
    :compare
    const-string v1, "SHA-256"
    invoke-static {v1}, Ljava/security/MessageDigest;->getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;
    move-result-object v1
    sget-object v2, Lappwarden/runtime/Checks;->certificate:Ljava/lang/String;
    const/4 v3, 0x0
    const-string v4, "no certificate"
    :next
    array-length v5, v0
    if-ge v3, v5, :other
    aget-object v4, v0, v3
    invoke-virtual {v4}, Landroid/content/pm/Signature;->toByteArray()[B
    move-result-object v4
    invoke-virtual {v1, v4}, Ljava/security/MessageDigest;->digest([B)[B
    move-result-object v4
    invoke-static {v4}, Lappwarden/runtime/Checks;->hex([B)Ljava/lang/String;
    move-result-object v4
    invoke-virtual {v2, v4}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v5
    if-nez v5, :same
    add-int/lit8 v3, v3, 0x1
    goto :next
    :other
    const-string v0, "certificate "
    invoke-static {v0, v4}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :same
    const/4 v0, 0x0
    return-object v0
.end method

# Every dex file and native library has to be one of the list, with its hash, and everything of the list has to be there.
.method static integrity()Ljava/lang/String;
    .locals 9
    sget-object v0, Lappwarden/runtime/Checks;->context:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getApplicationInfo()Landroid/content/pm/ApplicationInfo;
    move-result-object v0
    iget-object v0, v0, Landroid/content/pm/ApplicationInfo;->sourceDir:Ljava/lang/String;
    new-instance v1, Ljava/util/zip/ZipFile;
    invoke-direct {v1, v0}, Ljava/util/zip/ZipFile;-><init>(Ljava/lang/String;)V
    sget-object v2, Lappwarden/runtime/Checks;->entries:Ljava/lang/String;
    # How long the lines of the entries that are as they were are together.
    const/4 v3, 0x1
    invoke-virtual {v1}, Ljava/util/zip/ZipFile;->entries()Ljava/util/Enumeration;
    move-result-object v4
    :next
    invoke-interface {v4}, Ljava/util/Enumeration;->hasMoreElements()Z
    move-result v5
    if-eqz v5, :end
    invoke-interface {v4}, Ljava/util/Enumeration;->nextElement()Ljava/lang/Object;
    move-result-object v5
    check-cast v5, Ljava/util/zip/ZipEntry;
    invoke-virtual {v5}, Ljava/util/zip/ZipEntry;->getName()Ljava/lang/String;
    move-result-object v6
    const-string v7, "\n"
    invoke-static {v7, v6}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v7
    const-string v8, " "
    invoke-static {v7, v8}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v7
    invoke-virtual {v2, v7}, Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z
    move-result v8
    if-nez v8, :listed
    sget-object v8, Lappwarden/runtime/Checks;->own:Ljava/lang/String;
    invoke-virtual {v8, v6}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v8
    if-nez v8, :next
    invoke-static {v6}, Lappwarden/runtime/Checks;->isCode(Ljava/lang/String;)Z
    move-result v8
    if-eqz v8, :next
    goto :changed
    :listed
    invoke-virtual {v1, v5}, Ljava/util/zip/ZipFile;->getInputStream(Ljava/util/zip/ZipEntry;)Ljava/io/InputStream;
    move-result-object v5
    invoke-static {v5}, Lappwarden/runtime/Checks;->hash(Ljava/io/InputStream;)Ljava/lang/String;
    move-result-object v5
    invoke-static {v7, v5}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v5
    invoke-virtual {v2, v5}, Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z
    move-result v8
    if-eqz v8, :changed
    invoke-virtual {v5}, Ljava/lang/String;->length()I
    move-result v5
    add-int/2addr v3, v5
    goto :next
    :end
    invoke-virtual {v1}, Ljava/util/zip/ZipFile;->close()V
    invoke-virtual {v2}, Ljava/lang/String;->length()I
    move-result v2
    if-eq v2, v3, :same
    const-string v6, "an entry is missing"
    return-object v6
    :same
    const/4 v6, 0x0
    return-object v6
    :changed
    invoke-virtual {v1}, Ljava/util/zip/ZipFile;->close()V
    const-string v0, "entry "
    invoke-static {v0, v6}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# What Android loads code from.
.method static isCode(Ljava/lang/String;)Z
    .locals 2
    const-string v0, "classes"
    invoke-virtual {p0, v0}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v0
    const-string v1, ".dex"
    if-nez v0, :end
    const-string v0, "lib/"
    invoke-virtual {p0, v0}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v0
    if-eqz v0, :no
    const-string v1, ".so"
    :end
    invoke-virtual {p0, v1}, Ljava/lang/String;->endsWith(Ljava/lang/String;)Z
    move-result v0
    :no
    return v0
.end method

# SHA-256 of what is left of a stream.
.method static hash(Ljava/io/InputStream;)Ljava/lang/String;
    .locals 4
    const-string v0, "SHA-256"
    invoke-static {v0}, Ljava/security/MessageDigest;->getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;
    move-result-object v0
    const v1, 0x8000
    new-array v1, v1, [B
    const/4 v2, 0x0
    :more
    array-length v3, v1
    invoke-virtual {p0, v1, v2, v3}, Ljava/io/InputStream;->read([BII)I
    move-result v3
    if-lez v3, :end
    invoke-virtual {v0, v1, v2, v3}, Ljava/security/MessageDigest;->update([BII)V
    goto :more
    :end
    invoke-virtual {p0}, Ljava/io/InputStream;->close()V
    invoke-virtual {v0}, Ljava/security/MessageDigest;->digest()[B
    move-result-object v0
    invoke-static {v0}, Lappwarden/runtime/Checks;->hex([B)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method static hex([B)Ljava/lang/String;
    .locals 5
    const-string v0, "0123456789abcdef"
    new-instance v1, Ljava/lang/StringBuilder;
    invoke-direct {v1}, Ljava/lang/StringBuilder;-><init>()V
    const/4 v2, 0x0
    :next
    array-length v3, p0
    if-ge v2, v3, :end
    aget-byte v3, p0, v2
    shr-int/lit8 v4, v3, 0x4
    and-int/lit8 v4, v4, 0xf
    invoke-virtual {v0, v4}, Ljava/lang/String;->charAt(I)C
    move-result v4
    invoke-virtual {v1, v4}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    and-int/lit8 v4, v3, 0xf
    invoke-virtual {v0, v4}, Ljava/lang/String;->charAt(I)C
    move-result v4
    invoke-virtual {v1, v4}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    add-int/lit8 v2, v2, 0x1
    goto :next
    :end
    invoke-virtual {v1}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method static join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    invoke-virtual {v0, p0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# A file as text, a character for each byte. Files of /proc do not say how long they are.
.method static read(Ljava/lang/String;)Ljava/lang/String;
    .locals 6
    new-instance v0, Ljava/io/FileInputStream;
    invoke-direct {v0, p0}, Ljava/io/FileInputStream;-><init>(Ljava/lang/String;)V
    :try
    const/16 v1, 0x4000
    new-array v1, v1, [B
    const/4 v2, 0x0
    :more
    array-length v3, v1
    sub-int/2addr v3, v2
    invoke-virtual {v0, v1, v2, v3}, Ljava/io/FileInputStream;->read([BII)I
    move-result v3
    if-lez v3, :end
    add-int/2addr v2, v3
    array-length v3, v1
    if-lt v2, v3, :more
    mul-int/lit8 v3, v3, 0x2
    new-array v3, v3, [B
    const/4 v4, 0x0
    invoke-static {v1, v4, v3, v4, v2}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    move-object v1, v3
    goto :more
    :end
    new-instance v3, Ljava/lang/String;
    const/4 v4, 0x0
    const-string v5, "ISO-8859-1"
    invoke-direct {v3, v1, v4, v2, v5}, Ljava/lang/String;-><init>([BIILjava/lang/String;)V
    :try_end
    .catchall {:try .. :try_end} :failed
    invoke-virtual {v0}, Ljava/io/FileInputStream;->close()V
    return-object v3
    :failed
    move-exception v1
    invoke-virtual {v0}, Ljava/io/FileInputStream;->close()V
    throw v1
.end method
