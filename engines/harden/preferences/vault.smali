# The keys of a private folder that no backup takes. The first one is wrapped by a key of AndroidKeyStore where the device has one; where that does
# not answer (it is known to fail at times), a spare key takes its place, and what it encrypted is moved as soon as the first one is there again.
.class final Lappwarden/preferences/Vault;
.super Ljava/lang/Object;
.field private static final known:Ljava/util/HashMap;
# The one that encrypts comes first.
.field private final keys:Ljava/util/ArrayList;

.method static constructor <clinit>()V
    .locals 1
    new-instance v0, Ljava/util/HashMap;
    invoke-direct {v0}, Ljava/util/HashMap;-><init>()V
    sput-object v0, Lappwarden/preferences/Vault;->known:Ljava/util/HashMap;
    return-void
.end method

# Processes of the app wait for each other, so that one of them makes the keys.
.method static declared-synchronized of(Ljava/io/File;)Lappwarden/preferences/Vault;
    .locals 4
    sget-object v0, Lappwarden/preferences/Vault;->known:Ljava/util/HashMap;
    invoke-virtual {p0}, Ljava/io/File;->getPath()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v2
    check-cast v2, Lappwarden/preferences/Vault;
    if-nez v2, :there
    new-instance v2, Ljava/io/File;
    const-string v3, "preferences.lock"
    invoke-direct {v2, p0, v3}, Ljava/io/File;-><init>(Ljava/io/File;Ljava/lang/String;)V
    new-instance v3, Ljava/io/FileOutputStream;
    invoke-direct {v3, v2}, Ljava/io/FileOutputStream;-><init>(Ljava/io/File;)V
    :locking
    invoke-virtual {v3}, Ljava/io/FileOutputStream;->getChannel()Ljava/nio/channels/FileChannel;
    move-result-object v2
    invoke-virtual {v2}, Ljava/nio/channels/FileChannel;->lock()Ljava/nio/channels/FileLock;
    new-instance v2, Lappwarden/preferences/Vault;
    invoke-direct {v2, p0}, Lappwarden/preferences/Vault;-><init>(Ljava/io/File;)V
    :locked
    invoke-virtual {v3}, Ljava/io/FileOutputStream;->close()V
    invoke-virtual {v0, v1, v2}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    :there
    return-object v2
    :failed
    move-exception v0
    invoke-virtual {v3}, Ljava/io/FileOutputStream;->close()V
    throw v0
    .catchall {:locking .. :locked} :failed
.end method

.method private constructor <init>(Ljava/io/File;)V
    .locals 4
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    iput-object v0, p0, Lappwarden/preferences/Vault;->keys:Ljava/util/ArrayList;
    new-instance v1, Ljava/io/File;
    const-string v2, "preferences.key"
    invoke-direct {v1, p1, v2}, Ljava/io/File;-><init>(Ljava/io/File;Ljava/lang/String;)V
    :first
    const/4 v2, 0x1
    invoke-static {v1, v2}, Lappwarden/preferences/Vault;->key(Ljava/io/File;Z)Lappwarden/preferences/DataKey;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    :second
    new-instance v1, Ljava/io/File;
    const-string v2, "preferences.spare"
    invoke-direct {v1, p1, v2}, Ljava/io/File;-><init>(Ljava/io/File;Ljava/lang/String;)V
    invoke-virtual {v0}, Ljava/util/ArrayList;->size()I
    move-result v2
    if-eqz v2, :needed
    invoke-virtual {v1}, Ljava/io/File;->exists()Z
    move-result v3
    if-eqz v3, :end
    :needed
    :spare
    const/4 v3, 0x0
    invoke-static {v1, v3}, Lappwarden/preferences/Vault;->key(Ljava/io/File;Z)Lappwarden/preferences/DataKey;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    :end
    return-void
    :no_first
    move-exception v1
    goto :second
    :no_spare
    move-exception v1
    if-nez v2, :end
    throw v1
    .catch Ljava/lang/Throwable; {:first .. :second} :no_first
    .catch Ljava/lang/Throwable; {:spare .. :end} :no_spare
.end method

# The key of a file, made where there is none: 0 and its bytes, or 1 and these as DeviceKey wrapped them. It is read again before anything is encrypted
# under it.
.method private static key(Ljava/io/File;Z)Lappwarden/preferences/DataKey;
    .locals 5
    invoke-virtual {p0}, Ljava/io/File;->exists()Z
    move-result v0
    if-nez v0, :there
    invoke-static {p1}, Lappwarden/preferences/Vault;->fresh(Z)[B
    move-result-object v0
    new-instance v1, Ljava/io/File;
    invoke-virtual {p0}, Ljava/io/File;->getPath()Ljava/lang/String;
    move-result-object v2
    const-string v3, ".new"
    invoke-virtual {v2, v3}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-direct {v1, v2}, Ljava/io/File;-><init>(Ljava/lang/String;)V
    new-instance v2, Ljava/io/FileOutputStream;
    invoke-direct {v2, v1}, Ljava/io/FileOutputStream;-><init>(Ljava/io/File;)V
    invoke-virtual {v2, v0}, Ljava/io/FileOutputStream;->write([B)V
    invoke-virtual {v2}, Ljava/io/FileOutputStream;->getFD()Ljava/io/FileDescriptor;
    move-result-object v0
    invoke-virtual {v0}, Ljava/io/FileDescriptor;->sync()V
    invoke-virtual {v2}, Ljava/io/FileOutputStream;->close()V
    invoke-virtual {v1, p0}, Ljava/io/File;->renameTo(Ljava/io/File;)Z
    :there
    invoke-virtual {p0}, Ljava/io/File;->length()J
    move-result-wide v0
    long-to-int v0, v0
    new-array v0, v0, [B
    new-instance v1, Ljava/io/FileInputStream;
    invoke-virtual {p0}, Ljava/io/File;->getPath()Ljava/lang/String;
    move-result-object v2
    invoke-direct {v1, v2}, Ljava/io/FileInputStream;-><init>(Ljava/lang/String;)V
    const/4 v2, 0x0
    array-length v3, v0
    invoke-virtual {v1, v0, v2, v3}, Ljava/io/FileInputStream;->read([BII)I
    invoke-virtual {v1}, Ljava/io/FileInputStream;->close()V
    aget-byte v2, v0, v2
    const/4 v1, 0x1
    invoke-static {v0, v1, v3}, Ljava/util/Arrays;->copyOfRange([BII)[B
    move-result-object v0
    if-eqz v2, :bytes
    invoke-static {v0}, Lappwarden/preferences/DeviceKey;->unwrap([B)[B
    move-result-object v0
    :bytes
    array-length v1, v0
    const/16 v2, 0x20
    if-ne v1, v2, :damaged
    new-instance v1, Lappwarden/preferences/DataKey;
    invoke-direct {v1, v0}, Lappwarden/preferences/DataKey;-><init>([B)V
    return-object v1
    :damaged
    new-instance v0, Ljava/io/IOException;
    invoke-direct {v0}, Ljava/io/IOException;-><init>()V
    throw v0
.end method

# AndroidKeyStore has keys of AES from Android 6 on.
.method private static fresh(Z)[B
    .locals 5
    const/16 v0, 0x20
    invoke-static {v0}, Lappwarden/preferences/DataKey;->random(I)[B
    move-result-object v0
    const/4 v1, 0x0
    if-eqz p0, :plain
    sget v2, Landroid/os/Build$VERSION;->SDK_INT:I
    const/16 v3, 0x17
    if-lt v2, v3, :plain
    :wrapping
    invoke-static {v0}, Lappwarden/preferences/DeviceKey;->wrap([B)[B
    move-result-object v0
    :wrapped
    const/4 v1, 0x1
    :plain
    new-instance v2, Ljava/io/ByteArrayOutputStream;
    invoke-direct {v2}, Ljava/io/ByteArrayOutputStream;-><init>()V
    const/4 v3, 0x1
    new-array v3, v3, [B
    const/4 v4, 0x0
    int-to-byte v1, v1
    aput-byte v1, v3, v4
    invoke-virtual {v2, v3}, Ljava/io/ByteArrayOutputStream;->write([B)V
    invoke-virtual {v2, v0}, Ljava/io/ByteArrayOutputStream;->write([B)V
    invoke-virtual {v2}, Ljava/io/ByteArrayOutputStream;->toByteArray()[B
    move-result-object v0
    return-object v0
    :failed
    move-exception v2
    goto :plain
    .catch Ljava/lang/Throwable; {:wrapping .. :wrapped} :failed
.end method

.method private first()Lappwarden/preferences/DataKey;
    .locals 2
    iget-object v0, p0, Lappwarden/preferences/Vault;->keys:Ljava/util/ArrayList;
    const/4 v1, 0x0
    invoke-virtual {v0, v1}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Lappwarden/preferences/DataKey;
    return-object v0
.end method

.method nameOf(Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    invoke-direct {p0}, Lappwarden/preferences/Vault;->first()Lappwarden/preferences/DataKey;
    move-result-object v0
    invoke-virtual {v0, p1}, Lappwarden/preferences/DataKey;->nameOf(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# Whether the value is of a type that is encrypted.
.method put(Landroid/content/SharedPreferences$Editor;Ljava/lang/String;Ljava/lang/Object;)Z
    .locals 3
    invoke-static {p2, p3}, Lappwarden/preferences/Content;->of(Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/String;
    move-result-object v0
    if-nez v0, :known
    const/4 v0, 0x0
    return v0
    :known
    invoke-direct {p0}, Lappwarden/preferences/Vault;->first()Lappwarden/preferences/DataKey;
    move-result-object v1
    invoke-virtual {v1, p2}, Lappwarden/preferences/DataKey;->nameOf(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v1, v2, v0}, Lappwarden/preferences/DataKey;->seal(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-interface {p1, v2, v0}, Landroid/content/SharedPreferences$Editor;->putString(Ljava/lang/String;Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    const/4 v0, 0x1
    return v0
.end method

# Of an entry of the file: not null where it has to be moved, its name, its value, its name in the file. Null for one that cannot be decrypted.
.method read(Ljava/lang/String;Ljava/lang/Object;)[Ljava/lang/Object;
    .locals 9
    const/4 v0, 0x4
    new-array v0, v0, [Ljava/lang/Object;
    const/4 v1, 0x0
    const/4 v2, 0x1
    const/4 v3, 0x2
    const/4 v4, 0x3
    aput-object p1, v0, v4
    if-eqz p1, :readable
    invoke-static {}, Lappwarden/preferences/DataKey;->mark()Ljava/lang/String;
    move-result-object v4
    invoke-virtual {p1, v4}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v4
    if-eqz v4, :readable
    instance-of v4, p2, Ljava/lang/String;
    if-eqz v4, :readable
    check-cast p2, Ljava/lang/String;
    const/4 v4, 0x0
    :next
    iget-object v5, p0, Lappwarden/preferences/Vault;->keys:Ljava/util/ArrayList;
    invoke-virtual {v5}, Ljava/util/ArrayList;->size()I
    move-result v6
    if-ge v4, v6, :absent
    :trying
    invoke-virtual {v5, v4}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v5
    check-cast v5, Lappwarden/preferences/DataKey;
    invoke-virtual {v5, p1, p2}, Lappwarden/preferences/DataKey;->open(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v6
    if-eqz v6, :other
    invoke-static {v6}, Lappwarden/preferences/Content;->read(Ljava/lang/String;)[Ljava/lang/Object;
    move-result-object v6
    :tried
    if-eqz v6, :absent
    aget-object v7, v6, v1
    aput-object v7, v0, v2
    aget-object v7, v6, v2
    aput-object v7, v0, v3
    if-eqz v4, :current
    aput-object p0, v0, v1
    :current
    return-object v0
    :other
    add-int/lit8 v4, v4, 0x1
    goto :next
    :absent
    const/4 v0, 0x0
    return-object v0
    :readable
    aput-object p0, v0, v1
    aput-object p1, v0, v2
    aput-object p2, v0, v3
    return-object v0
    :failed
    move-exception v5
    goto :absent
    .catch Ljava/lang/Throwable; {:trying .. :tried} :failed
.end method
