# Whether functions of system libraries are in memory what they are in the files that they were mapped from. What cannot be read, or not be compared
# since the file was replaced, is not checked and never a finding: relocations of the linker change no code.
.class final Lappwarden/runtime/Libraries;
.super Ljava/lang/Object;

# What is compared, of class Code, with addresses; null before the first look.
.field static functions:Ljava/util/ArrayList;
# The memory of this process, once it was opened.
.field static memory:Ljava/io/RandomAccessFile;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

# A function that begins with a jump that its file does not have, or two that differ otherwise.
.method static find()Ljava/lang/String;
    .locals 10
    sget-object v0, Lappwarden/runtime/Libraries;->functions:Ljava/util/ArrayList;
    if-nez v0, :known
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    invoke-static {v0}, Lappwarden/runtime/Libraries;->collect(Ljava/util/ArrayList;)V
    sput-object v0, Lappwarden/runtime/Libraries;->functions:Ljava/util/ArrayList;
    :known
    invoke-static {}, Lappwarden/runtime/Libraries;->openMemory()Ljava/io/RandomAccessFile;
    move-result-object v1
    const/4 v2, 0x0
    const/4 v3, 0x0
    :next
    invoke-virtual {v0}, Ljava/util/ArrayList;->size()I
    move-result v4
    if-ge v3, v4, :none
    invoke-virtual {v0, v3}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v4
    check-cast v4, Lappwarden/runtime/Code;
    add-int/lit8 v3, v3, 0x1
    iget-object v5, v4, Lappwarden/runtime/Code;->bytes:[B
    array-length v6, v5
    iget-wide v7, v4, Lappwarden/runtime/Code;->place:J
    :reading
    invoke-static {v1, v7, v8, v6}, Lappwarden/runtime/Libraries;->bytes(Ljava/io/RandomAccessFile;JI)[B
    move-result-object v6
    :read
    .catchall {:reading .. :read} :unreadable
    invoke-static {v5, v6}, Ljava/util/Arrays;->equals([B[B)Z
    move-result v7
    if-nez v7, :next
    add-int/lit8 v2, v2, 0x1
    iget v7, v4, Lappwarden/runtime/Code;->machine:I
    invoke-static {v7, v5, v6}, Lappwarden/runtime/Code;->isBranch(I[B[B)Z
    move-result v7
    if-nez v7, :found
    const/4 v7, 0x2
    if-lt v2, v7, :next
    :found
    new-instance v0, Ljava/lang/StringBuilder;
    const-string v1, "changed code of "
    invoke-direct {v0, v1}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
    iget-object v1, v4, Lappwarden/runtime/Code;->name:Ljava/lang/String;
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v1, ": "
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-static {v6}, Lappwarden/runtime/Checks;->hex([B)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :unreadable
    move-exception v5
    goto :next
    :none
    const/4 v0, 0x0
    return-object v0
.end method

# Android forbids dumps of processes of apps, which makes this file one of root: then they are allowed for the moment in which it is opened.
.method static openMemory()Ljava/io/RandomAccessFile;
    .locals 11
    sget-object v0, Lappwarden/runtime/Libraries;->memory:Ljava/io/RandomAccessFile;
    if-nez v0, :open
    const-string v9, "/proc/self/mem"
    const-string v10, "r"
    :plainly
    new-instance v0, Ljava/io/RandomAccessFile;
    invoke-direct {v0, v9, v10}, Ljava/io/RandomAccessFile;-><init>(Ljava/lang/String;Ljava/lang/String;)V
    :opened
    .catch Ljava/io/IOException; {:plainly .. :opened} :refused
    goto :keep
    :refused
    move-exception v0
    const/4 v0, 0x4
    const-wide/16 v1, 0x1
    const-wide/16 v3, 0x0
    move-wide v5, v3
    move-wide v7, v3
    invoke-static/range {v0 .. v8}, Landroid/system/Os;->prctl(IJJJJ)I
    :again
    new-instance v0, Ljava/io/RandomAccessFile;
    invoke-direct {v0, v9, v10}, Ljava/io/RandomAccessFile;-><init>(Ljava/lang/String;Ljava/lang/String;)V
    move-object v9, v0
    :done
    .catchall {:again .. :done} :failed
    const/4 v0, 0x4
    const-wide/16 v1, 0x0
    invoke-static/range {v0 .. v8}, Landroid/system/Os;->prctl(IJJJJ)I
    move-object v0, v9
    :keep
    sput-object v0, Lappwarden/runtime/Libraries;->memory:Ljava/io/RandomAccessFile;
    :open
    return-object v0
    :failed
    move-exception v9
    const/4 v0, 0x4
    const-wide/16 v1, 0x0
    invoke-static/range {v0 .. v8}, Landroid/system/Os;->prctl(IJJJJ)I
    throw v9
.end method

# Exactly so many bytes.
.method static bytes(Ljava/io/RandomAccessFile;JI)[B
    .locals 3
    invoke-virtual {p0, p1, p2}, Ljava/io/RandomAccessFile;->seek(J)V
    new-array v0, p3, [B
    const/4 v1, 0x0
    :next
    if-ge v1, p3, :end
    sub-int v2, p3, v1
    invoke-virtual {p0, v0, v1, v2}, Ljava/io/RandomAccessFile;->read([BII)I
    move-result v2
    if-lez v2, :short
    add-int/2addr v1, v2
    goto :next
    :end
    return-object v0
    :short
    new-instance v0, Ljava/io/IOException;
    const-string v1, "short"
    invoke-direct {v0, v1}, Ljava/io/IOException;-><init>(Ljava/lang/String;)V
    throw v0
.end method

# Lines of /proc/self/maps: START-END PERMISSIONS OFFSET DEVICE INODE PATH. A library may be mapped in several parts.
.method static collect(Ljava/util/ArrayList;)V
    .locals 15
    const-string v0, "/proc/self/maps"
    invoke-static {v0}, Lappwarden/runtime/Checks;->read(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    # v1: the line, v2: its end, v3: the path that was read last, v4: its functions
    const/4 v1, 0x0
    const/4 v3, 0x0
    const/4 v4, 0x0
    :line
    invoke-virtual {v0}, Ljava/lang/String;->length()I
    move-result v2
    if-ge v1, v2, :end
    const/16 v5, 0xa
    invoke-virtual {v0, v5, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v5
    if-ltz v5, :last
    move v2, v5
    :last
    const/16 v5, 0x2f
    invoke-virtual {v0, v5, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v5
    if-ltz v5, :next
    if-ge v5, v2, :next
    const/16 v6, 0x20
    invoke-virtual {v0, v6, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v6
    # Code that may be read: Android 10 has libraries that may only be run.
    add-int/lit8 v7, v6, 0x1
    invoke-virtual {v0, v7}, Ljava/lang/String;->charAt(I)C
    move-result v7
    const/16 v8, 0x72
    if-ne v7, v8, :next
    add-int/lit8 v7, v6, 0x3
    invoke-virtual {v0, v7}, Ljava/lang/String;->charAt(I)C
    move-result v7
    const/16 v8, 0x78
    if-ne v7, v8, :next
    invoke-virtual {v0, v5, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v5
    const-string v7, "/libc.so|/libdl.so|/libart.so"
    invoke-static {v5, v7}, Lappwarden/runtime/Checks;->part(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v7
    if-eqz v7, :next
    # A name of a file is UTF-8.
    const-string v7, "ISO-8859-1"
    invoke-virtual {v5, v7}, Ljava/lang/String;->getBytes(Ljava/lang/String;)[B
    move-result-object v7
    const-string v8, "UTF-8"
    new-instance v5, Ljava/lang/String;
    invoke-direct {v5, v7, v8}, Ljava/lang/String;-><init>([BLjava/lang/String;)V
    # v7: start, v9: end, v11: offset, v13: inode
    const/16 v7, 0x10
    invoke-static {v0, v1, v7}, Lappwarden/runtime/Libraries;->number(Ljava/lang/String;II)J
    move-result-wide v9
    const/16 v8, 0x2d
    invoke-virtual {v0, v8, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v8
    add-int/lit8 v8, v8, 0x1
    invoke-static {v0, v8, v7}, Lappwarden/runtime/Libraries;->number(Ljava/lang/String;II)J
    move-result-wide v11
    sub-long/2addr v11, v9
    add-int/lit8 v6, v6, 0x6
    invoke-static {v0, v6, v7}, Lappwarden/runtime/Libraries;->number(Ljava/lang/String;II)J
    move-result-wide v13
    invoke-virtual {v5, v3}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v7
    if-nez v7, :there
    move-object v3, v5
    const/16 v7, 0x20
    invoke-virtual {v0, v7, v6}, Ljava/lang/String;->indexOf(II)I
    move-result v6
    add-int/lit8 v6, v6, 0x1
    invoke-virtual {v0, v7, v6}, Ljava/lang/String;->indexOf(II)I
    move-result v6
    add-int/lit8 v6, v6, 0x1
    const/16 v7, 0xa
    invoke-static {v0, v6, v7}, Lappwarden/runtime/Libraries;->number(Ljava/lang/String;II)J
    move-result-wide v6
    invoke-static {v5, v6, v7}, Lappwarden/runtime/Libraries;->functionsOf(Ljava/lang/String;J)Ljava/util/ArrayList;
    move-result-object v4
    :there
    move-object v5, p0
    move-object v6, v4
    move-wide v7, v9
    move-wide v9, v11
    move-wide v11, v13
    invoke-static/range {v5 .. v12}, Lappwarden/runtime/Libraries;->place(Ljava/util/ArrayList;Ljava/util/ArrayList;JJJ)V
    :next
    add-int/lit8 v1, v2, 0x1
    goto/16 :line
    :end
    return-void
.end method

# Adds the functions that lie in a mapping: its start, its length, and where it begins in the file.
.method static place(Ljava/util/ArrayList;Ljava/util/ArrayList;JJJ)V
    .locals 12
    const/4 v0, 0x0
    :next
    invoke-virtual {p1}, Ljava/util/ArrayList;->size()I
    move-result v1
    if-ge v0, v1, :end
    invoke-virtual {p1, v0}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v1
    check-cast v1, Lappwarden/runtime/Code;
    add-int/lit8 v0, v0, 0x1
    iget-wide v2, v1, Lappwarden/runtime/Code;->place:J
    sub-long v2, v2, p6
    const-wide/16 v4, 0x0
    cmp-long v4, v2, v4
    if-ltz v4, :next
    iget-object v10, v1, Lappwarden/runtime/Code;->bytes:[B
    array-length v4, v10
    int-to-long v4, v4
    add-long/2addr v4, v2
    cmp-long v4, v4, p4
    if-gtz v4, :next
    add-long v8, v2, p2
    iget-object v7, v1, Lappwarden/runtime/Code;->name:Ljava/lang/String;
    iget v11, v1, Lappwarden/runtime/Code;->machine:I
    new-instance v6, Lappwarden/runtime/Code;
    invoke-direct/range {v6 .. v11}, Lappwarden/runtime/Code;-><init>(Ljava/lang/String;J[BI)V
    invoke-virtual {p0, v6}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    goto :next
    :end
    return-void
.end method

# Digits from a place of a text on.
.method static number(Ljava/lang/String;II)J
    .locals 6
    const-wide/16 v0, 0x0
    int-to-long v2, p2
    :next
    invoke-virtual {p0, p1}, Ljava/lang/String;->charAt(I)C
    move-result v4
    add-int/lit8 v4, v4, -0x30
    const/16 v5, 0xa
    if-lt v4, v5, :digit
    add-int/lit8 v4, v4, -0x27
    :digit
    if-ltz v4, :end
    if-ge v4, p2, :end
    mul-long/2addr v0, v2
    int-to-long v4, v4
    add-long/2addr v0, v4
    add-int/lit8 p1, p1, 0x1
    goto :next
    :end
    return-wide v0
.end method

# Functions that matter, with their place in the file; none where it is not the file that is mapped, or has no table of symbols.
.method static functionsOf(Ljava/lang/String;J)Ljava/util/ArrayList;
    .locals 4
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    :try
    invoke-static {p0}, Landroid/system/Os;->stat(Ljava/lang/String;)Landroid/system/StructStat;
    move-result-object v1
    iget-wide v1, v1, Landroid/system/StructStat;->st_ino:J
    cmp-long v1, v1, p1
    if-nez v1, :end
    new-instance v1, Ljava/io/RandomAccessFile;
    const-string v2, "r"
    invoke-direct {v1, p0, v2}, Ljava/io/RandomAccessFile;-><init>(Ljava/lang/String;Ljava/lang/String;)V
    :try_end
    .catchall {:try .. :try_end} :unknown
    const-string v2, "/libart.so"
    invoke-virtual {p0, v2}, Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z
    move-result v2
    const-string v3, "JNI_CreateJavaVM| JNI_GetCreatedJavaVMs| _ZN3art9ArtMethod6Invoke _ZN3art9JavaVMExt17LoadNativeLibrary _ZN3art11ClassLinker11DefineClass _ZN3art11ClassLinker10LoadMethod _ZN3art13DexFileLoader10OpenCommon _ZN3art7DexFile10OpenCommon _ZN3art7DexFile10OpenMemory artQuickToInterpreterBridge| art_quick_invoke_stub| art_quick_generic_jni_trampoline| "
    if-nez v2, :named
    const-string v3, "open| openat| fopen| read| fgets| readlink| access| stat| mmap| mprotect| ptrace| prctl| syscall| fork| vfork| execve| kill| exit| abort| sigaction| pthread_create| connect| strstr| strcmp| dlopen| dlsym| android_dlopen_ext| dlclose| __system_property_get| "
    :named
    :reading
    invoke-static {v1, v3, v0}, Lappwarden/runtime/Elf;->read(Ljava/io/RandomAccessFile;Ljava/lang/String;Ljava/util/ArrayList;)V
    :read
    .catchall {:reading .. :read} :odd
    :close
    invoke-virtual {v1}, Ljava/io/RandomAccessFile;->close()V
    :end
    return-object v0
    :odd
    move-exception v2
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    goto :close
    :unknown
    move-exception v1
    return-object v0
.end method
