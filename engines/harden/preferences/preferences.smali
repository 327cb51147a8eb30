# The preferences of the app with names and values encrypted at rest, in the file and the cache of Android's own, which it wraps. All entries are in memory
# decrypted, as Android has them; a change of them makes a new map, so that readers need no lock. What another version of the app left readable, or what
# the spare key encrypted, is moved under the key when the file is opened. What cannot be decrypted is absent, and stays in the file.
.class public final Lappwarden/preferences/Preferences;
.super Ljava/lang/Object;
.implements Landroid/content/SharedPreferences;

# Constants of the build, which the engine writes.
.field static own:Ljava/lang/String; = ""
# Names of files that stay readable, each between line feeds.
.field static left:Ljava/lang/String; = ""

# Preferences of Android to what the app gets in their place; Android keeps the former as long.
.field private static final opened:Ljava/util/HashMap;

.field private final real:Landroid/content/SharedPreferences;
.field private final vault:Lappwarden/preferences/Vault;
# Listeners hear of a clear from Android 11 on, where the app is made for it.
.field private final hearClear:Z
# References, as weak as Android's.
.field private final listeners:Ljava/util/ArrayList;
.field private volatile values:Ljava/util/HashMap;

.method static constructor <clinit>()V
    .locals 1
    new-instance v0, Ljava/util/HashMap;
    invoke-direct {v0}, Ljava/util/HashMap;-><init>()V
    sput-object v0, Lappwarden/preferences/Preferences;->opened:Ljava/util/HashMap;
    return-void
.end method

.method public static open(Landroid/content/Context;Ljava/lang/String;I)Landroid/content/SharedPreferences;
    .locals 1
    invoke-virtual {p0, p1, p2}, Landroid/content/Context;->getSharedPreferences(Ljava/lang/String;I)Landroid/content/SharedPreferences;
    move-result-object v0
    invoke-static {v0, p0, p1, p2}, Lappwarden/preferences/Preferences;->wrap(Landroid/content/SharedPreferences;Landroid/content/Context;Ljava/lang/String;I)Landroid/content/SharedPreferences;
    move-result-object v0
    return-object v0
.end method

.method public static open(Landroid/app/Activity;I)Landroid/content/SharedPreferences;
    .locals 2
    invoke-virtual {p0, p1}, Landroid/app/Activity;->getPreferences(I)Landroid/content/SharedPreferences;
    move-result-object v0
    invoke-virtual {p0}, Landroid/app/Activity;->getLocalClassName()Ljava/lang/String;
    move-result-object v1
    invoke-static {v0, p0, v1, p1}, Lappwarden/preferences/Preferences;->wrap(Landroid/content/SharedPreferences;Landroid/content/Context;Ljava/lang/String;I)Landroid/content/SharedPreferences;
    move-result-object v0
    return-object v0
.end method

.method public static open(Landroid/content/Context;)Landroid/content/SharedPreferences;
    .locals 3
    invoke-static {p0}, Landroid/preference/PreferenceManager;->getDefaultSharedPreferences(Landroid/content/Context;)Landroid/content/SharedPreferences;
    move-result-object v0
    invoke-virtual {p0}, Landroid/content/Context;->getPackageName()Ljava/lang/String;
    move-result-object v1
    const-string v2, "_preferences"
    invoke-virtual {v1, v2}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    const/4 v2, 0x0
    invoke-static {v0, p0, v1, v2}, Lappwarden/preferences/Preferences;->wrap(Landroid/content/SharedPreferences;Landroid/content/Context;Ljava/lang/String;I)Landroid/content/SharedPreferences;
    move-result-object v0
    return-object v0
.end method

# Android's own for names that stay readable; a class of the app's may have asked here already.
.method private static wrap(Landroid/content/SharedPreferences;Landroid/content/Context;Ljava/lang/String;I)Landroid/content/SharedPreferences;
    .locals 3
    if-eqz p0, :given
    instance-of v0, p0, Lappwarden/preferences/Preferences;
    if-nez v0, :given
    const-string v0, "\n"
    invoke-static {p2}, Ljava/lang/String;->valueOf(Ljava/lang/Object;)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v1, v0}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    sget-object v1, Lappwarden/preferences/Preferences;->left:Ljava/lang/String;
    invoke-virtual {v1, v0}, Ljava/lang/String;->contains(Ljava/lang/CharSequence;)Z
    move-result v0
    if-nez v0, :given
    invoke-static {p0, p1, p3}, Lappwarden/preferences/Preferences;->of(Landroid/content/SharedPreferences;Landroid/content/Context;I)Landroid/content/SharedPreferences;
    move-result-object p0
    :given
    return-object p0
.end method

# Where no key can be had the app gets Android's own for the time of the process, so that it starts. MODE_MULTI_PROCESS asks for what others wrote.
.method private static declared-synchronized of(Landroid/content/SharedPreferences;Landroid/content/Context;I)Landroid/content/SharedPreferences;
    .locals 6
    sget-object v0, Lappwarden/preferences/Preferences;->opened:Ljava/util/HashMap;
    invoke-virtual {v0, p0}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v1
    check-cast v1, Landroid/content/SharedPreferences;
    if-nez v1, :known
    move-object v1, p0
    :making
    invoke-virtual {p1}, Landroid/content/Context;->getApplicationInfo()Landroid/content/pm/ApplicationInfo;
    move-result-object v2
    iget-object v3, v2, Landroid/content/pm/ApplicationInfo;->packageName:Ljava/lang/String;
    sget-object v4, Lappwarden/preferences/Preferences;->own:Ljava/lang/String;
    invoke-virtual {v4, v3}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :made
    invoke-virtual {p1}, Landroid/content/Context;->getNoBackupFilesDir()Ljava/io/File;
    move-result-object v3
    invoke-static {v3}, Lappwarden/preferences/Vault;->of(Ljava/io/File;)Lappwarden/preferences/Vault;
    move-result-object v3
    new-instance v4, Lappwarden/preferences/Preferences;
    iget v5, v2, Landroid/content/pm/ApplicationInfo;->targetSdkVersion:I
    invoke-direct {v4, p0, v3, v5}, Lappwarden/preferences/Preferences;-><init>(Landroid/content/SharedPreferences;Lappwarden/preferences/Vault;I)V
    move-object v1, v4
    :made
    invoke-virtual {v0, p0, v1}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    return-object v1
    :failed
    move-exception v2
    goto :made
    .catch Ljava/lang/Throwable; {:making .. :made} :failed
    :known
    and-int/lit8 v2, p2, 0x4
    if-eqz v2, :current
    instance-of v2, v1, Lappwarden/preferences/Preferences;
    if-eqz v2, :current
    check-cast v1, Lappwarden/preferences/Preferences;
    invoke-direct {v1}, Lappwarden/preferences/Preferences;->load()V
    :current
    return-object v1
.end method

.method private constructor <init>(Landroid/content/SharedPreferences;Lappwarden/preferences/Vault;I)V
    .locals 3
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lappwarden/preferences/Preferences;->real:Landroid/content/SharedPreferences;
    iput-object p2, p0, Lappwarden/preferences/Preferences;->vault:Lappwarden/preferences/Vault;
    const/4 v0, 0x0
    sget v1, Landroid/os/Build$VERSION;->SDK_INT:I
    const/16 v2, 0x1e
    if-lt v1, v2, :decided
    if-lt p3, v2, :decided
    const/4 v0, 0x1
    :decided
    iput-boolean v0, p0, Lappwarden/preferences/Preferences;->hearClear:Z
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    iput-object v0, p0, Lappwarden/preferences/Preferences;->listeners:Ljava/util/ArrayList;
    invoke-direct {p0}, Lappwarden/preferences/Preferences;->load()V
    return-void
.end method

# A readable entry is newer than an encrypted one of its name: only code without a key wrote it. So is one of the spare key. Both are moved in one change.
.method private declared-synchronized load()V
    .locals 10
    iget-object v0, p0, Lappwarden/preferences/Preferences;->real:Landroid/content/SharedPreferences;
    invoke-interface {v0}, Landroid/content/SharedPreferences;->getAll()Ljava/util/Map;
    move-result-object v1
    new-instance v2, Ljava/util/HashMap;
    invoke-direct {v2}, Ljava/util/HashMap;-><init>()V
    # Each its name in the file, its name and its value.
    new-instance v3, Ljava/util/ArrayList;
    invoke-direct {v3}, Ljava/util/ArrayList;-><init>()V
    invoke-interface {v1}, Ljava/util/Map;->keySet()Ljava/util/Set;
    move-result-object v4
    invoke-interface {v4}, Ljava/util/Set;->iterator()Ljava/util/Iterator;
    move-result-object v4
    :next
    invoke-interface {v4}, Ljava/util/Iterator;->hasNext()Z
    move-result v5
    if-eqz v5, :read
    invoke-interface {v4}, Ljava/util/Iterator;->next()Ljava/lang/Object;
    move-result-object v5
    check-cast v5, Ljava/lang/String;
    invoke-interface {v1, v5}, Ljava/util/Map;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v6
    iget-object v7, p0, Lappwarden/preferences/Preferences;->vault:Lappwarden/preferences/Vault;
    invoke-virtual {v7, v5, v6}, Lappwarden/preferences/Vault;->read(Ljava/lang/String;Ljava/lang/Object;)[Ljava/lang/Object;
    move-result-object v6
    if-eqz v6, :next
    const/4 v7, 0x0
    aget-object v7, v6, v7
    if-nez v7, :moved
    const/4 v7, 0x1
    aget-object v7, v6, v7
    const/4 v8, 0x2
    aget-object v8, v6, v8
    invoke-virtual {v2, v7, v8}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    goto :next
    :moved
    invoke-virtual {v3, v6}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    goto :next
    :read
    invoke-virtual {v3}, Ljava/util/ArrayList;->size()I
    move-result v1
    if-eqz v1, :done
    invoke-interface {v0}, Landroid/content/SharedPreferences;->edit()Landroid/content/SharedPreferences$Editor;
    move-result-object v0
    const/4 v4, 0x0
    :more
    if-ge v4, v1, :all
    invoke-virtual {v3, v4}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v5
    check-cast v5, [Ljava/lang/Object;
    const/4 v6, 0x1
    aget-object v6, v5, v6
    check-cast v6, Ljava/lang/String;
    const/4 v7, 0x2
    aget-object v7, v5, v7
    invoke-virtual {v2, v6, v7}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    iget-object v8, p0, Lappwarden/preferences/Preferences;->vault:Lappwarden/preferences/Vault;
    invoke-virtual {v8, v0, v6, v7}, Lappwarden/preferences/Vault;->put(Landroid/content/SharedPreferences$Editor;Ljava/lang/String;Ljava/lang/Object;)Z
    move-result v8
    # What Android does not know as a type of preferences stays.
    if-eqz v8, :kept
    const/4 v8, 0x3
    aget-object v8, v5, v8
    check-cast v8, Ljava/lang/String;
    invoke-interface {v0, v8}, Landroid/content/SharedPreferences$Editor;->remove(Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    :kept
    add-int/lit8 v4, v4, 0x1
    goto :more
    :all
    invoke-interface {v0}, Landroid/content/SharedPreferences$Editor;->apply()V
    :done
    iput-object v2, p0, Lappwarden/preferences/Preferences;->values:Ljava/util/HashMap;
    return-void
.end method

# `now`: comes back when the changes are in the file. Listeners may ask for anything, so that no lock is held when they are called.
.method write(Lappwarden/preferences/Editor;Z)Z
    .locals 2
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    invoke-virtual {p1}, Lappwarden/preferences/Editor;->takeClear()Z
    move-result v1
    invoke-direct {p0, p1, p2, v1, v0}, Lappwarden/preferences/Preferences;->store(Lappwarden/preferences/Editor;ZZLjava/util/ArrayList;)Z
    move-result p2
    invoke-direct {p0, v1, v0}, Lappwarden/preferences/Preferences;->notice(ZLjava/util/ArrayList;)V
    return p2
.end method

# Writes changes one after the other, so that the file has them in the order of the memory, and adds the names of those that change something. A value that
# is null or the editor itself is a removal.
.method private declared-synchronized store(Lappwarden/preferences/Editor;ZZLjava/util/ArrayList;)Z
    .locals 9
    iget-object v0, p0, Lappwarden/preferences/Preferences;->real:Landroid/content/SharedPreferences;
    invoke-interface {v0}, Landroid/content/SharedPreferences;->edit()Landroid/content/SharedPreferences$Editor;
    move-result-object v0
    new-instance v1, Ljava/util/HashMap;
    iget-object v2, p0, Lappwarden/preferences/Preferences;->values:Ljava/util/HashMap;
    invoke-direct {v1, v2}, Ljava/util/HashMap;-><init>(Ljava/util/Map;)V
    if-eqz p3, :keep
    invoke-virtual {v1}, Ljava/util/HashMap;->clear()V
    invoke-interface {v0}, Landroid/content/SharedPreferences$Editor;->clear()Landroid/content/SharedPreferences$Editor;
    :keep
    invoke-virtual {p1}, Lappwarden/preferences/Editor;->take()Ljava/util/HashMap;
    move-result-object v4
    invoke-virtual {v4}, Ljava/util/HashMap;->keySet()Ljava/util/Set;
    move-result-object v5
    invoke-interface {v5}, Ljava/util/Set;->iterator()Ljava/util/Iterator;
    move-result-object v5
    :next
    invoke-interface {v5}, Ljava/util/Iterator;->hasNext()Z
    move-result v6
    if-eqz v6, :changed
    invoke-interface {v5}, Ljava/util/Iterator;->next()Ljava/lang/Object;
    move-result-object v6
    check-cast v6, Ljava/lang/String;
    invoke-virtual {v4, v6}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v7
    if-eqz v7, :removal
    if-eq v7, p1, :removal
    invoke-virtual {v1, v6}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v8
    invoke-virtual {v7, v8}, Ljava/lang/Object;->equals(Ljava/lang/Object;)Z
    move-result v8
    if-nez v8, :next
    invoke-virtual {v1, v6, v7}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    iget-object v8, p0, Lappwarden/preferences/Preferences;->vault:Lappwarden/preferences/Vault;
    invoke-virtual {v8, v0, v6, v7}, Lappwarden/preferences/Vault;->put(Landroid/content/SharedPreferences$Editor;Ljava/lang/String;Ljava/lang/Object;)Z
    move-result v8
    if-nez v8, :sealed
    # Only a set can hold what is no text.
    check-cast v7, Ljava/util/Set;
    invoke-interface {v0, v6, v7}, Landroid/content/SharedPreferences$Editor;->putStringSet(Ljava/lang/String;Ljava/util/Set;)Landroid/content/SharedPreferences$Editor;
    goto :changes
    :removal
    invoke-virtual {v1, v6}, Ljava/util/HashMap;->containsKey(Ljava/lang/Object;)Z
    move-result v8
    if-eqz v8, :next
    invoke-virtual {v1, v6}, Ljava/util/HashMap;->remove(Ljava/lang/Object;)Ljava/lang/Object;
    iget-object v8, p0, Lappwarden/preferences/Preferences;->vault:Lappwarden/preferences/Vault;
    invoke-virtual {v8, v6}, Lappwarden/preferences/Vault;->nameOf(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v8
    invoke-interface {v0, v8}, Landroid/content/SharedPreferences$Editor;->remove(Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    :sealed
    # One that stayed readable would come back.
    invoke-interface {v0, v6}, Landroid/content/SharedPreferences$Editor;->remove(Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    :changes
    invoke-virtual {p4, v6}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    goto :next
    :changed
    iput-object v1, p0, Lappwarden/preferences/Preferences;->values:Ljava/util/HashMap;
    if-eqz p2, :later
    invoke-interface {v0}, Landroid/content/SharedPreferences$Editor;->commit()Z
    move-result p2
    goto :written
    :later
    invoke-interface {v0}, Landroid/content/SharedPreferences$Editor;->apply()V
    :written
    return p2
.end method

# On the main thread, as Android does: null for a clear where the app is made for that, then the last name first.
.method private notice(ZLjava/util/ArrayList;)V
    .locals 4
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    if-eqz p1, :names
    iget-boolean v1, p0, Lappwarden/preferences/Preferences;->hearClear:Z
    if-eqz v1, :names
    const/4 v1, 0x0
    invoke-virtual {v0, v1}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    :names
    invoke-virtual {p2}, Ljava/util/ArrayList;->size()I
    move-result v1
    :next
    add-int/lit8 v1, v1, -0x1
    if-ltz v1, :named
    invoke-virtual {p2, v1}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v2
    invoke-virtual {v0, v2}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    goto :next
    :named
    const/4 v1, 0x0
    invoke-direct {p0, v1}, Lappwarden/preferences/Preferences;->without(Ljava/lang/Object;)Ljava/util/ArrayList;
    move-result-object v1
    invoke-virtual {v0}, Ljava/util/ArrayList;->size()I
    move-result v2
    if-eqz v2, :end
    invoke-virtual {v1}, Ljava/util/ArrayList;->size()I
    move-result v2
    if-eqz v2, :end
    new-instance v2, Lappwarden/preferences/ListenerCall;
    invoke-direct {v2, p0, v1, v0}, Lappwarden/preferences/ListenerCall;-><init>(Landroid/content/SharedPreferences;Ljava/util/ArrayList;Ljava/util/ArrayList;)V
    invoke-static {}, Landroid/os/Looper;->getMainLooper()Landroid/os/Looper;
    move-result-object v0
    invoke-static {}, Landroid/os/Looper;->myLooper()Landroid/os/Looper;
    move-result-object v1
    if-ne v0, v1, :post
    invoke-virtual {v2}, Lappwarden/preferences/ListenerCall;->run()V
    return-void
    :post
    new-instance v1, Landroid/os/Handler;
    invoke-direct {v1, v0}, Landroid/os/Handler;-><init>(Landroid/os/Looper;)V
    invoke-virtual {v1, v2}, Landroid/os/Handler;->post(Ljava/lang/Runnable;)Z
    :end
    return-void
.end method

# The listeners that are there, after this one was taken out with those that are gone.
.method private without(Ljava/lang/Object;)Ljava/util/ArrayList;
    .locals 5
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    iget-object v1, p0, Lappwarden/preferences/Preferences;->listeners:Ljava/util/ArrayList;
    monitor-enter v1
    :locked
    invoke-virtual {v1}, Ljava/util/ArrayList;->size()I
    move-result v2
    :next
    add-int/lit8 v2, v2, -0x1
    if-ltz v2, :unlock
    invoke-virtual {v1, v2}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v3
    check-cast v3, Ljava/lang/ref/WeakReference;
    invoke-virtual {v3}, Ljava/lang/ref/WeakReference;->get()Ljava/lang/Object;
    move-result-object v3
    if-eqz v3, :out
    invoke-virtual {v3, p1}, Ljava/lang/Object;->equals(Ljava/lang/Object;)Z
    move-result v4
    if-nez v4, :out
    invoke-virtual {v0, v3}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    goto :next
    :out
    invoke-virtual {v1, v2}, Ljava/util/ArrayList;->remove(I)Ljava/lang/Object;
    goto :next
    :unlock
    monitor-exit v1
    :unlocked
    return-object v0
    :failed
    move-exception v0
    monitor-exit v1
    throw v0
    .catchall {:locked .. :unlocked} :failed
.end method

.method public registerOnSharedPreferenceChangeListener(Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;)V
    .locals 2
    iget-object v0, p0, Lappwarden/preferences/Preferences;->listeners:Ljava/util/ArrayList;
    monitor-enter v0
    :locked
    invoke-direct {p0, p1}, Lappwarden/preferences/Preferences;->without(Ljava/lang/Object;)Ljava/util/ArrayList;
    new-instance v1, Ljava/lang/ref/WeakReference;
    invoke-direct {v1, p1}, Ljava/lang/ref/WeakReference;-><init>(Ljava/lang/Object;)V
    invoke-virtual {v0, v1}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    monitor-exit v0
    :unlocked
    return-void
    :failed
    move-exception v1
    monitor-exit v0
    throw v1
    .catchall {:locked .. :unlocked} :failed
.end method

.method public unregisterOnSharedPreferenceChangeListener(Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;)V
    .locals 0
    invoke-direct {p0, p1}, Lappwarden/preferences/Preferences;->without(Ljava/lang/Object;)Ljava/util/ArrayList;
    return-void
.end method

.method public edit()Landroid/content/SharedPreferences$Editor;
    .locals 1
    new-instance v0, Lappwarden/preferences/Editor;
    invoke-direct {v0, p0}, Lappwarden/preferences/Editor;-><init>(Lappwarden/preferences/Preferences;)V
    return-object v0
.end method

.method public getAll()Ljava/util/Map;
    .locals 2
    new-instance v0, Ljava/util/HashMap;
    iget-object v1, p0, Lappwarden/preferences/Preferences;->values:Ljava/util/HashMap;
    invoke-direct {v0, v1}, Ljava/util/HashMap;-><init>(Ljava/util/Map;)V
    return-object v0
.end method

.method public contains(Ljava/lang/String;)Z
    .locals 1
    iget-object v0, p0, Lappwarden/preferences/Preferences;->values:Ljava/util/HashMap;
    invoke-virtual {v0, p1}, Ljava/util/HashMap;->containsKey(Ljava/lang/Object;)Z
    move-result v0
    return v0
.end method

.method private value(Ljava/lang/String;)Ljava/lang/Object;
    .locals 1
    iget-object v0, p0, Lappwarden/preferences/Preferences;->values:Ljava/util/HashMap;
    invoke-virtual {v0, p1}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v0
    return-object v0
.end method

# A value of another type is a ClassCastException, as Android gives it.
.method public getString(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    invoke-direct {p0, p1}, Lappwarden/preferences/Preferences;->value(Ljava/lang/String;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Ljava/lang/String;
    if-nez v0, :there
    return-object p2
    :there
    return-object v0
.end method

# A copy: what the app does with it is not kept.
.method public getStringSet(Ljava/lang/String;Ljava/util/Set;)Ljava/util/Set;
    .locals 2
    invoke-direct {p0, p1}, Lappwarden/preferences/Preferences;->value(Ljava/lang/String;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Ljava/util/Set;
    if-nez v0, :there
    return-object p2
    :there
    new-instance v1, Ljava/util/HashSet;
    invoke-direct {v1, v0}, Ljava/util/HashSet;-><init>(Ljava/util/Collection;)V
    return-object v1
.end method

.method public getInt(Ljava/lang/String;I)I
    .locals 1
    invoke-direct {p0, p1}, Lappwarden/preferences/Preferences;->value(Ljava/lang/String;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Ljava/lang/Integer;
    if-eqz v0, :absent
    invoke-virtual {v0}, Ljava/lang/Integer;->intValue()I
    move-result p2
    :absent
    return p2
.end method

.method public getLong(Ljava/lang/String;J)J
    .locals 1
    invoke-direct {p0, p1}, Lappwarden/preferences/Preferences;->value(Ljava/lang/String;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Ljava/lang/Long;
    if-eqz v0, :absent
    invoke-virtual {v0}, Ljava/lang/Long;->longValue()J
    move-result-wide p2
    :absent
    return-wide p2
.end method

.method public getFloat(Ljava/lang/String;F)F
    .locals 1
    invoke-direct {p0, p1}, Lappwarden/preferences/Preferences;->value(Ljava/lang/String;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Ljava/lang/Float;
    if-eqz v0, :absent
    invoke-virtual {v0}, Ljava/lang/Float;->floatValue()F
    move-result p2
    :absent
    return p2
.end method

.method public getBoolean(Ljava/lang/String;Z)Z
    .locals 1
    invoke-direct {p0, p1}, Lappwarden/preferences/Preferences;->value(Ljava/lang/String;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Ljava/lang/Boolean;
    if-eqz v0, :absent
    invoke-virtual {v0}, Ljava/lang/Boolean;->booleanValue()Z
    move-result p2
    :absent
    return p2
.end method
