# Whether our own parts are in the package as the build wrote them: the loader of encrypted code, the interpreter's libraries and the dex file of this class.
.class final Lappwarden/runtime/Shell;
.super Ljava/lang/Object;

# Constants of the build, which the engine writes.
# Lines that end with a line feed: name of an entry, space, SHA-256.
.field static parts:Ljava/lang/String; = ""
# The entry whose bytes are the SHA-256 of the key and of the hash of the dex file of this class, which cannot hold it; '' where that file is encrypted.
.field static seal:Ljava/lang/String; = ""
.field static key:Ljava/lang/String; = ""

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method static find()Ljava/lang/String;
    .locals 3
    sget-object v0, Lappwarden/runtime/Checks;->context:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getApplicationInfo()Landroid/content/pm/ApplicationInfo;
    move-result-object v0
    iget-object v0, v0, Landroid/content/pm/ApplicationInfo;->sourceDir:Ljava/lang/String;
    new-instance v1, Ljava/util/zip/ZipFile;
    invoke-direct {v1, v0}, Ljava/util/zip/ZipFile;-><init>(Ljava/lang/String;)V
    :try
    invoke-static {v1}, Lappwarden/runtime/Shell;->changed(Ljava/util/zip/ZipFile;)Ljava/lang/String;
    move-result-object v0
    if-eqz v0, :same
    const-string v2, "part of the shell "
    invoke-static {v2, v0}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    :same
    :try_end
    .catchall {:try .. :try_end} :failed
    invoke-virtual {v1}, Ljava/util/zip/ZipFile;->close()V
    return-object v0
    :failed
    move-exception v0
    invoke-virtual {v1}, Ljava/util/zip/ZipFile;->close()V
    throw v0
.end method

# The name of the entry that is missing or not what it was; null without one.
.method private static changed(Ljava/util/zip/ZipFile;)Ljava/lang/String;
    .locals 7
    sget-object v0, Lappwarden/runtime/Shell;->parts:Ljava/lang/String;
    const/4 v1, 0x0
    :next
    const/16 v2, 0x20
    invoke-virtual {v0, v2, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v2
    if-ltz v2, :own
    invoke-virtual {v0, v1, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    add-int/lit8 v2, v2, 0x1
    const/16 v4, 0xa
    invoke-virtual {v0, v4, v2}, Ljava/lang/String;->indexOf(II)I
    move-result v1
    invoke-virtual {v0, v2, v1}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v2
    add-int/lit8 v1, v1, 0x1
    invoke-static {p0, v3}, Lappwarden/runtime/Shell;->hash(Ljava/util/zip/ZipFile;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v4
    invoke-virtual {v2, v4}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v2
    if-nez v2, :next
    return-object v3
    :own
    sget-object v1, Lappwarden/runtime/Shell;->seal:Ljava/lang/String;
    invoke-virtual {v1}, Ljava/lang/String;->isEmpty()Z
    move-result v2
    if-nez v2, :same
    sget-object v3, Lappwarden/runtime/Checks;->own:Ljava/lang/String;
    invoke-static {p0, v3}, Lappwarden/runtime/Shell;->hash(Ljava/util/zip/ZipFile;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    sget-object v4, Lappwarden/runtime/Shell;->key:Ljava/lang/String;
    invoke-static {v4, v2}, Lappwarden/runtime/Checks;->join(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v2}, Ljava/lang/String;->getBytes()[B
    move-result-object v2
    const-string v4, "SHA-256"
    invoke-static {v4}, Ljava/security/MessageDigest;->getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;
    move-result-object v4
    invoke-virtual {v4, v2}, Ljava/security/MessageDigest;->digest([B)[B
    move-result-object v2
    invoke-virtual {p0, v1}, Ljava/util/zip/ZipFile;->getEntry(Ljava/lang/String;)Ljava/util/zip/ZipEntry;
    move-result-object v4
    if-eqz v4, :missing
    invoke-virtual {p0, v4}, Ljava/util/zip/ZipFile;->getInputStream(Ljava/util/zip/ZipEntry;)Ljava/io/InputStream;
    move-result-object v4
    const/4 v5, 0x0
    :compare
    invoke-virtual {v4}, Ljava/io/InputStream;->read()I
    move-result v6
    aget-byte v0, v2, v5
    and-int/lit16 v0, v0, 0xff
    if-ne v0, v6, :other
    add-int/lit8 v5, v5, 0x1
    array-length v0, v2
    if-lt v5, v0, :compare
    :same
    const/4 v3, 0x0
    :other
    return-object v3
    :missing
    return-object v1
.end method

# '' where the entry is missing.
.method private static hash(Ljava/util/zip/ZipFile;Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    invoke-virtual {p0, p1}, Ljava/util/zip/ZipFile;->getEntry(Ljava/lang/String;)Ljava/util/zip/ZipEntry;
    move-result-object v0
    if-eqz v0, :missing
    invoke-virtual {p0, v0}, Ljava/util/zip/ZipFile;->getInputStream(Ljava/util/zip/ZipEntry;)Ljava/io/InputStream;
    move-result-object v0
    invoke-static {v0}, Lappwarden/runtime/Checks;->hash(Ljava/io/InputStream;)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :missing
    const-string v0, ""
    return-object v0
.end method
