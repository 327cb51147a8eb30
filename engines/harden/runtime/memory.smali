# What dumps the memory of this process or puts code into it. Dumps are forbidden once, mappings and open files are looked at again and again.
.class final Lappwarden/runtime/Memory;
.super Ljava/lang/Object;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

# PR_SET_DUMPABLE. A package that may be debugged stays as Android starts it, for its debugger. What fails is sent, and stops nothing.
.method static forbid()V
    .locals 9
    :try
    sget-object v0, Lappwarden/runtime/Checks;->context:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getApplicationInfo()Landroid/content/pm/ApplicationInfo;
    move-result-object v0
    iget v0, v0, Landroid/content/pm/ApplicationInfo;->flags:I
    and-int/lit8 v0, v0, 0x2
    if-nez v0, :end
    const/4 v0, 0x4
    const-wide/16 v1, 0x0
    move-wide v3, v1
    move-wide v5, v1
    move-wide v7, v1
    invoke-static/range {v0 .. v8}, Landroid/system/Os;->prctl(IJJJJ)I
    const/4 v0, 0x3
    invoke-static/range {v0 .. v8}, Landroid/system/Os;->prctl(IJJJJ)I
    move-result v0
    if-eqz v0, :end
    const-string v0, "dumps are still allowed"
    goto :say
    :try_end
    .catchall {:try .. :try_end} :failed
    :failed
    move-exception v0
    :saying
    const-string v1, "dumps are not forbidden: "
    invoke-virtual {v0}, Ljava/lang/Throwable;->toString()Ljava/lang/String;
    move-result-object v0
    invoke-static {v1, v0}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    :say
    const/4 v1, 0x7
    const/4 v2, 0x1
    invoke-static {v1, v2, v0}, Lappwarden/runtime/Report;->start(IILjava/lang/String;)V
    :said
    .catchall {:saying .. :said} :silent
    :end
    return-void
    :silent
    move-exception v0
    return-void
.end method

.method static find()Ljava/lang/String;
    .locals 2
    const-string v0, "/proc/self/maps"
    invoke-static {v0}, Lappwarden/runtime/Checks;->read(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lappwarden/runtime/Memory;->judge(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-nez v0, :found
    invoke-static {}, Lappwarden/runtime/Memory;->files()Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lappwarden/runtime/Memory;->tool(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    :found
    return-object v0
.end method

# Names of tools that dump dex files or are injected for it; null where the text has none.
.method static tool(Ljava/lang/String;)Ljava/lang/String;
    .locals 2
    const-string v0, "frida-agent|frida-gadget|re.frida.server|top.niunaijun.blackdex|libblackdex|com.wrbug.dumpdex|com.wrbug.developerhelper|libnativeDump.so|formatfa.xposed.Fdex2|/fart/|il2cppdumper"
    invoke-static {p0, v0}, Lappwarden/runtime/Checks;->part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-eqz v0, :none
    const-string v1, "tool "
    invoke-static {v1, v0}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    :none
    return-object v0
.end method

# What the open files of this process are, a line for each.
.method static files()Ljava/lang/String;
    .locals 6
    const-string v0, "/proc/self/fd/"
    new-instance v1, Ljava/lang/StringBuilder;
    invoke-direct {v1}, Ljava/lang/StringBuilder;-><init>()V
    new-instance v2, Ljava/io/File;
    invoke-direct {v2, v0}, Ljava/io/File;-><init>(Ljava/lang/String;)V
    invoke-virtual {v2}, Ljava/io/File;->list()[Ljava/lang/String;
    move-result-object v2
    if-eqz v2, :end
    const/4 v3, 0x0
    :next
    array-length v4, v2
    if-ge v3, v4, :end
    aget-object v4, v2, v3
    add-int/lit8 v3, v3, 0x1
    :try
    invoke-virtual {v0, v4}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v4
    invoke-static {v4}, Landroid/system/Os;->readlink(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v4
    invoke-virtual {v1, v4}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const/16 v4, 0xa
    invoke-virtual {v1, v4}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    :try_end
    .catchall {:try .. :try_end} :closed
    goto :next
    :closed
    # Closed in between.
    move-exception v4
    goto :next
    :end
    invoke-virtual {v1}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# What lines of /proc/self/maps say: START-END PERMISSIONS OFFSET DEVICE INODE PATH. Libraries out of memory, out of the folders of tools and from files
# that are gone are findings. Memory that is writable and executable is one only where neither a library of the app nor a known engine is there, which
# may have made it (scripts of a web view, Mono, V8): ART's own is known by its names.
.method static judge(Ljava/lang/String;)Ljava/lang/String;
    .locals 15
    invoke-static {p0}, Lappwarden/runtime/Memory;->tool(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-nez v0, :found
    # v0: what the app's own code may explain, v1: whether there is such code, v2: the line, v3: its end, v4: its permissions, v5: its path
    const/4 v1, 0x0
    const/4 v2, 0x0
    const-string v8, "/data/"
    const-string v9, "/memfd:"
    const-string v10, "/dev/"
    const-string v11, " (deleted)"
    const-string v12, "/mnt/expand/"
    const-string v13, ".so"
    const-string v14, ".apk"
    :line
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v3
    if-ge v2, v3, :end
    const/16 v6, 0xa
    invoke-virtual {p0, v6, v2}, Ljava/lang/String;->indexOf(II)I
    move-result v6
    if-ltz v6, :last
    move v3, v6
    :last
    const/16 v7, 0x20
    invoke-virtual {p0, v7, v2}, Ljava/lang/String;->indexOf(II)I
    move-result v4
    add-int/lit8 v4, v4, 0x1
    add-int/lit8 v5, v4, 0x5
    if-gt v5, v3, :next
    add-int/lit8 v6, v4, 0x2
    invoke-virtual {p0, v6}, Ljava/lang/String;->charAt(I)C
    move-result v6
    const/16 v7, 0x78
    if-ne v6, v7, :next
    const/16 v7, 0x20
    invoke-virtual {p0, v7, v5}, Ljava/lang/String;->indexOf(II)I
    move-result v5
    add-int/lit8 v5, v5, 0x1
    invoke-virtual {p0, v7, v5}, Ljava/lang/String;->indexOf(II)I
    move-result v5
    add-int/lit8 v5, v5, 0x1
    invoke-virtual {p0, v7, v5}, Ljava/lang/String;->indexOf(II)I
    move-result v5
    if-ltz v5, :unnamed
    :space
    if-ge v5, v3, :unnamed
    invoke-virtual {p0, v5}, Ljava/lang/String;->charAt(I)C
    move-result v6
    if-ne v6, v7, :named
    add-int/lit8 v5, v5, 0x1
    goto :space
    :unnamed
    move v5, v3
    :named
    invoke-virtual {p0, v5, v3}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v5
    invoke-virtual {v5}, Ljava/lang/String;->isEmpty()Z
    move-result v6
    if-nez v6, :anonymous
    const/4 v6, 0x0
    invoke-virtual {v5, v6}, Ljava/lang/String;->charAt(I)C
    move-result v6
    const/16 v7, 0x2f
    if-ne v6, v7, :anonymous
    invoke-virtual {v5, v8}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v6
    if-nez v6, :data
    invoke-virtual {v5, v12}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v6
    if-nez v6, :own
    invoke-virtual {v5, v9}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v6
    if-nez v6, :memory
    invoke-virtual {v5, v10}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v6
    if-nez v6, :device
    invoke-virtual {v5, v11}, Ljava/lang/String;->endsWith(Ljava/lang/String;)Z
    move-result v6
    if-eqz v6, :file
    # What an update of the system replaces is gone, too.
    const-string v6, "^"
    invoke-static {v6, v5}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v6
    const-string v7, "^/system|^/apex/|^/vendor/|^/product/|^/odm/|^/SYSV|^/anon_hugepage"
    invoke-static {v6, v7}, Lappwarden/runtime/Checks;->part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v6
    if-nez v6, :file
    goto :foreign
    # Drivers map memory of their devices.
    :device
    const-string v6, "/dev/ashmem/"
    invoke-virtual {v5, v6}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v6
    if-eqz v6, :next
    :memory
    invoke-static {v5}, Lappwarden/runtime/Memory;->isOfRuntime(Ljava/lang/String;)Z
    move-result v6
    if-nez v6, :next
    :foreign
    const-string v0, "code of "
    invoke-static {v0, v5}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :data
    const-string v6, "/data/local/tmp/"
    invoke-virtual {v5, v6}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v6
    if-nez v6, :foreign
    const-string v6, "/data/adb/"
    invoke-virtual {v5, v6}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v6
    if-nez v6, :foreign
    :own
    invoke-virtual {v5, v13}, Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z
    move-result v6
    or-int/2addr v1, v6
    invoke-virtual {v5, v14}, Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z
    move-result v6
    or-int/2addr v1, v6
    goto :next
    :anonymous
    invoke-static {v5}, Lappwarden/runtime/Memory;->isOfRuntime(Ljava/lang/String;)Z
    move-result v6
    if-nez v6, :next
    :file
    if-nez v0, :next
    add-int/lit8 v6, v4, 0x1
    invoke-virtual {p0, v6}, Ljava/lang/String;->charAt(I)C
    move-result v6
    const/16 v7, 0x77
    if-ne v6, v7, :next
    const-string v0, "writable code "
    invoke-virtual {p0, v2, v3}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v6
    invoke-static {v0, v6}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    :next
    add-int/lit8 v2, v3, 0x1
    goto/16 :line
    :end
    if-eqz v0, :found
    if-nez v1, :explained
    const-string v1, "webview|WebView|chromium|Chrome|chrome|libv8|libmono|libndk_translation|libhoudini|libnb.so|swiftshader|SwiftShader|gallium|llvmpipe|libRSCpuRef"
    invoke-static {p0, v1}, Lappwarden/runtime/Checks;->part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    if-eqz v1, :found
    :explained
    const/4 v0, 0x0
    :found
    return-object v0
.end method

# Names that ART, engines of scripts and foreign function interfaces give to memory that they run, and what is executable for other reasons.
.method static isOfRuntime(Ljava/lang/String;)Z
    .locals 1
    const-string v0, "dalvik-|jit-cache|jit-zygote-cache|jit-code-cache|boot-image-methods|libffi|[anon:v8|[anon:mono|[anon:Mem_|[stack|[heap|[vdso]|[vectors]|[sigpage]|[uprobes]"
    invoke-static {p0, v0}, Lappwarden/runtime/Checks;->part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-nez v0, :known
    const/4 v0, 0x0
    return v0
    :known
    const/4 v0, 0x1
    return v0
.end method
