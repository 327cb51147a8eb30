# Preferences as Android keeps them: an object for each file, whose entries are in memory and in a file below `preferences`, a line each with type, name and
# value. A value of type `z` is of none that preferences know. Beside them what a phone has to keep keys: `keystore` is the file of AndroidKeyStore, and
# without it that fails; `noBackup` is the private folder.
.class public final Ldevice/StoredPreferences;
.super Ljava/lang/Object;
.implements Landroid/content/SharedPreferences;
.field private static final opened:Ljava/util/HashMap;
.field private final path:Ljava/lang/String;
.field final values:Ljava/util/HashMap;
.field final listeners:Ljava/util/HashSet;
.method static constructor <clinit>()V
    .locals 1
    new-instance v0, Ljava/util/HashMap;
    invoke-direct {v0}, Ljava/util/HashMap;-><init>()V
    sput-object v0, Ldevice/StoredPreferences;->opened:Ljava/util/HashMap;
    return-void
.end method
.method public static of(Ljava/lang/String;Ljava/lang/String;)Ldevice/StoredPreferences;
    .locals 3
    sget-object v0, Ldevice/StoredPreferences;->opened:Ljava/util/HashMap;
    invoke-virtual {v0, p1}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v1
    check-cast v1, Ldevice/StoredPreferences;
    if-nez v1, :known
    new-instance v2, Ljava/io/File;
    invoke-direct {v2, p0}, Ljava/io/File;-><init>(Ljava/lang/String;)V
    new-instance v1, Ljava/io/File;
    invoke-static {p1}, Ljava/lang/String;->valueOf(Ljava/lang/Object;)Ljava/lang/String;
    move-result-object p0
    invoke-direct {v1, v2, p0}, Ljava/io/File;-><init>(Ljava/io/File;Ljava/lang/String;)V
    invoke-virtual {v1}, Ljava/io/File;->getPath()Ljava/lang/String;
    move-result-object v2
    new-instance v1, Ldevice/StoredPreferences;
    invoke-direct {v1, v2}, Ldevice/StoredPreferences;-><init>(Ljava/lang/String;)V
    invoke-virtual {v0, p1, v1}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    :known
    return-object v1
.end method
.method private constructor <init>(Ljava/lang/String;)V
    .locals 6
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ldevice/StoredPreferences;->path:Ljava/lang/String;
    new-instance v0, Ljava/util/HashMap;
    invoke-direct {v0}, Ljava/util/HashMap;-><init>()V
    iput-object v0, p0, Ldevice/StoredPreferences;->values:Ljava/util/HashMap;
    new-instance v0, Ljava/util/HashSet;
    invoke-direct {v0}, Ljava/util/HashSet;-><init>()V
    iput-object v0, p0, Ldevice/StoredPreferences;->listeners:Ljava/util/HashSet;
    invoke-static {p1}, Lhostruntime/Files;->read(Ljava/lang/String;)[B
    move-result-object v0
    if-eqz v0, :end
    new-instance v1, Ljava/lang/String;
    const-string v2, "UTF-8"
    invoke-direct {v1, v0, v2}, Ljava/lang/String;-><init>([BLjava/lang/String;)V
    const/4 v2, 0x0
    :next
    const/16 v3, 0xa
    invoke-virtual {v1, v3, v2}, Ljava/lang/String;->indexOf(II)I
    move-result v3
    if-ltz v3, :end
    invoke-virtual {v1, v2, v3}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v4
    invoke-direct {p0, v4}, Ldevice/StoredPreferences;->add(Ljava/lang/String;)V
    add-int/lit8 v2, v3, 0x1
    goto :next
    :end
    return-void
.end method
.method private add(Ljava/lang/String;)V
    .locals 6
    const/16 v0, 0x9
    const/4 v1, 0x2
    invoke-virtual {p1, v0, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v0
    invoke-virtual {p1, v1, v0}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v2
    const-string v3, "-"
    invoke-virtual {v3, v2}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-nez v3, :unnamed
    const/4 v3, 0x1
    invoke-virtual {v2, v3}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v2
    goto :named
    :unnamed
    const/4 v2, 0x0
    :named
    add-int/lit8 v0, v0, 0x1
    invoke-virtual {p1, v0}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v3
    const/4 v4, 0x0
    invoke-virtual {p1, v4}, Ljava/lang/String;->charAt(I)C
    move-result v4
    invoke-static {v4, v3}, Ldevice/StoredPreferences;->value(CLjava/lang/String;)Ljava/lang/Object;
    move-result-object v3
    iget-object v4, p0, Ldevice/StoredPreferences;->values:Ljava/util/HashMap;
    invoke-virtual {v4, v2, v3}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    return-void
.end method
# Of a letter and a text: items of sets end with commas, floats are their bits.
.method public static value(CLjava/lang/String;)Ljava/lang/Object;
    .locals 5
    const/16 v0, 0x73
    if-eq p0, v0, :text
    const/16 v0, 0x69
    if-eq p0, v0, :int
    const/16 v0, 0x6c
    if-eq p0, v0, :long
    const/16 v0, 0x66
    if-eq p0, v0, :float
    const/16 v0, 0x62
    if-eq p0, v0, :boolean
    const/16 v0, 0x63
    if-eq p0, v0, :set
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    return-object v0
    :text
    return-object p1
    :int
    invoke-static {p1}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    move-result v0
    invoke-static {v0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v0
    return-object v0
    :long
    invoke-static {p1}, Ljava/lang/Long;->parseLong(Ljava/lang/String;)J
    move-result-wide v0
    invoke-static {v0, v1}, Ljava/lang/Long;->valueOf(J)Ljava/lang/Long;
    move-result-object v0
    return-object v0
    :float
    invoke-static {p1}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    move-result v0
    invoke-static {v0}, Ljava/lang/Float;->intBitsToFloat(I)F
    move-result v0
    invoke-static {v0}, Ljava/lang/Float;->valueOf(F)Ljava/lang/Float;
    move-result-object v0
    return-object v0
    :boolean
    invoke-static {p1}, Ljava/lang/Boolean;->parseBoolean(Ljava/lang/String;)Z
    move-result v0
    invoke-static {v0}, Ljava/lang/Boolean;->valueOf(Z)Ljava/lang/Boolean;
    move-result-object v0
    return-object v0
    :set
    new-instance v0, Ljava/util/HashSet;
    invoke-direct {v0}, Ljava/util/HashSet;-><init>()V
    const/4 v1, 0x0
    :next
    const/16 v2, 0x2c
    invoke-virtual {p1, v2, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v2
    if-ltz v2, :end
    invoke-virtual {p1, v1, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v0, v3}, Ljava/util/HashSet;->add(Ljava/lang/Object;)Z
    add-int/lit8 v1, v2, 0x1
    goto :next
    :end
    return-object v0
.end method
# The line of an entry without its name, with `:` where that was.
.method public static say(Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/String;
    .locals 4
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    const-string v1, "s"
    instance-of v2, p1, Ljava/lang/String;
    if-nez v2, :typed
    const-string v1, "i"
    instance-of v2, p1, Ljava/lang/Integer;
    if-nez v2, :typed
    const-string v1, "l"
    instance-of v2, p1, Ljava/lang/Long;
    if-nez v2, :typed
    const-string v1, "b"
    instance-of v2, p1, Ljava/lang/Boolean;
    if-nez v2, :typed
    const-string v1, "c"
    instance-of v2, p1, Ljava/util/Set;
    if-nez v2, :typed
    const-string v1, "f"
    instance-of v2, p1, Ljava/lang/Float;
    if-nez v2, :typed
    const-string v1, "z"
    :typed
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v1, "\t"
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    if-eqz p0, :unnamed
    const-string v2, "+"
    invoke-virtual {v0, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0, p0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    goto :named
    :unnamed
    const-string v2, "-"
    invoke-virtual {v0, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    :named
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    instance-of v1, p1, Ljava/util/Set;
    if-nez v1, :set
    instance-of v1, p1, Ljava/lang/Float;
    if-nez v1, :float
    instance-of v1, p1, Ljava/util/ArrayList;
    if-nez v1, :end
    invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
    goto :end
    :float
    check-cast p1, Ljava/lang/Float;
    invoke-virtual {p1}, Ljava/lang/Float;->floatValue()F
    move-result v1
    invoke-static {v1}, Ljava/lang/Float;->floatToIntBits(F)I
    move-result v1
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    goto :end
    :set
    check-cast p1, Ljava/util/Set;
    invoke-interface {p1}, Ljava/util/Set;->iterator()Ljava/util/Iterator;
    move-result-object v1
    :next
    invoke-interface {v1}, Ljava/util/Iterator;->hasNext()Z
    move-result v2
    if-eqz v2, :end
    invoke-interface {v1}, Ljava/util/Iterator;->next()Ljava/lang/Object;
    move-result-object v2
    invoke-virtual {v0, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
    const-string v2, ","
    invoke-virtual {v0, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    goto :next
    :end
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
.method final write()V
    .locals 6
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    iget-object v1, p0, Ldevice/StoredPreferences;->values:Ljava/util/HashMap;
    invoke-virtual {v1}, Ljava/util/HashMap;->keySet()Ljava/util/Set;
    move-result-object v2
    invoke-interface {v2}, Ljava/util/Set;->iterator()Ljava/util/Iterator;
    move-result-object v2
    :next
    invoke-interface {v2}, Ljava/util/Iterator;->hasNext()Z
    move-result v3
    if-eqz v3, :end
    invoke-interface {v2}, Ljava/util/Iterator;->next()Ljava/lang/Object;
    move-result-object v3
    check-cast v3, Ljava/lang/String;
    invoke-virtual {v1, v3}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v4
    invoke-static {v3, v4}, Ldevice/StoredPreferences;->say(Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v0, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v3, "\n"
    invoke-virtual {v0, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    goto :next
    :end
    iget-object v1, p0, Ldevice/StoredPreferences;->path:Ljava/lang/String;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    const-string v2, "UTF-8"
    invoke-virtual {v0, v2}, Ljava/lang/String;->getBytes(Ljava/lang/String;)[B
    move-result-object v0
    invoke-static {v1, v0}, Lhostruntime/Files;->write(Ljava/lang/String;[B)Z
    return-void
.end method
.method public getAll()Ljava/util/Map;
    .locals 2
    new-instance v0, Ljava/util/HashMap;
    iget-object v1, p0, Ldevice/StoredPreferences;->values:Ljava/util/HashMap;
    invoke-direct {v0, v1}, Ljava/util/HashMap;-><init>(Ljava/util/Map;)V
    return-object v0
.end method
.method private value(Ljava/lang/String;)Ljava/lang/Object;
    .locals 1
    iget-object v0, p0, Ldevice/StoredPreferences;->values:Ljava/util/HashMap;
    invoke-virtual {v0, p1}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v0
    return-object v0
.end method
.method public getString(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    invoke-direct {p0, p1}, Ldevice/StoredPreferences;->value(Ljava/lang/String;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Ljava/lang/String;
    if-nez v0, :there
    return-object p2
    :there
    return-object v0
.end method
.method public getStringSet(Ljava/lang/String;Ljava/util/Set;)Ljava/util/Set;
    .locals 1
    invoke-direct {p0, p1}, Ldevice/StoredPreferences;->value(Ljava/lang/String;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Ljava/util/Set;
    if-nez v0, :there
    return-object p2
    :there
    return-object v0
.end method
.method public getInt(Ljava/lang/String;I)I
    .locals 1
    invoke-direct {p0, p1}, Ldevice/StoredPreferences;->value(Ljava/lang/String;)Ljava/lang/Object;
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
    invoke-direct {p0, p1}, Ldevice/StoredPreferences;->value(Ljava/lang/String;)Ljava/lang/Object;
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
    invoke-direct {p0, p1}, Ldevice/StoredPreferences;->value(Ljava/lang/String;)Ljava/lang/Object;
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
    invoke-direct {p0, p1}, Ldevice/StoredPreferences;->value(Ljava/lang/String;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Ljava/lang/Boolean;
    if-eqz v0, :absent
    invoke-virtual {v0}, Ljava/lang/Boolean;->booleanValue()Z
    move-result p2
    :absent
    return p2
.end method
.method public contains(Ljava/lang/String;)Z
    .locals 1
    iget-object v0, p0, Ldevice/StoredPreferences;->values:Ljava/util/HashMap;
    invoke-virtual {v0, p1}, Ljava/util/HashMap;->containsKey(Ljava/lang/Object;)Z
    move-result v0
    return v0
.end method
.method public edit()Landroid/content/SharedPreferences$Editor;
    .locals 1
    new-instance v0, Ldevice/StoredEditor;
    invoke-direct {v0, p0}, Ldevice/StoredEditor;-><init>(Ldevice/StoredPreferences;)V
    return-object v0
.end method
.method public registerOnSharedPreferenceChangeListener(Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;)V
    .locals 1
    iget-object v0, p0, Ldevice/StoredPreferences;->listeners:Ljava/util/HashSet;
    invoke-virtual {v0, p1}, Ljava/util/HashSet;->add(Ljava/lang/Object;)Z
    return-void
.end method
.method public unregisterOnSharedPreferenceChangeListener(Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;)V
    .locals 2
    iget-object v0, p0, Ldevice/StoredPreferences;->listeners:Ljava/util/HashSet;
    invoke-virtual {v0, p1}, Ljava/util/ArrayList;->indexOf(Ljava/lang/Object;)I
    move-result v1
    if-ltz v1, :end
    invoke-virtual {v0, v1}, Ljava/util/ArrayList;->remove(I)Ljava/lang/Object;
    :end
    return-void
.end method


# The order of SharedPreferencesImpl.EditorImpl.commitToMemory and notifyListeners, on the main thread alone.
.class final Ldevice/StoredEditor;
.super Ljava/lang/Object;
.implements Landroid/content/SharedPreferences$Editor;
.field private final owner:Ldevice/StoredPreferences;
.field private changes:Ljava/util/HashMap;
.field private clears:Z
.method constructor <init>(Ldevice/StoredPreferences;)V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ldevice/StoredEditor;->owner:Ldevice/StoredPreferences;
    new-instance v0, Ljava/util/HashMap;
    invoke-direct {v0}, Ljava/util/HashMap;-><init>()V
    iput-object v0, p0, Ldevice/StoredEditor;->changes:Ljava/util/HashMap;
    return-void
.end method
.method private put(Ljava/lang/String;Ljava/lang/Object;)V
    .locals 1
    iget-object v0, p0, Ldevice/StoredEditor;->changes:Ljava/util/HashMap;
    invoke-virtual {v0, p1, p2}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    return-void
.end method
.method public putString(Ljava/lang/String;Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    .locals 0
    invoke-direct {p0, p1, p2}, Ldevice/StoredEditor;->put(Ljava/lang/String;Ljava/lang/Object;)V
    return-object p0
.end method
.method public putStringSet(Ljava/lang/String;Ljava/util/Set;)Landroid/content/SharedPreferences$Editor;
    .locals 1
    const/4 v0, 0x0
    if-eqz p2, :removal
    new-instance v0, Ljava/util/HashSet;
    invoke-direct {v0, p2}, Ljava/util/HashSet;-><init>(Ljava/util/Collection;)V
    :removal
    invoke-direct {p0, p1, v0}, Ldevice/StoredEditor;->put(Ljava/lang/String;Ljava/lang/Object;)V
    return-object p0
.end method
.method public putInt(Ljava/lang/String;I)Landroid/content/SharedPreferences$Editor;
    .locals 1
    invoke-static {p2}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v0
    invoke-direct {p0, p1, v0}, Ldevice/StoredEditor;->put(Ljava/lang/String;Ljava/lang/Object;)V
    return-object p0
.end method
.method public putLong(Ljava/lang/String;J)Landroid/content/SharedPreferences$Editor;
    .locals 1
    invoke-static {p2, p3}, Ljava/lang/Long;->valueOf(J)Ljava/lang/Long;
    move-result-object v0
    invoke-direct {p0, p1, v0}, Ldevice/StoredEditor;->put(Ljava/lang/String;Ljava/lang/Object;)V
    return-object p0
.end method
.method public putFloat(Ljava/lang/String;F)Landroid/content/SharedPreferences$Editor;
    .locals 1
    invoke-static {p2}, Ljava/lang/Float;->valueOf(F)Ljava/lang/Float;
    move-result-object v0
    invoke-direct {p0, p1, v0}, Ldevice/StoredEditor;->put(Ljava/lang/String;Ljava/lang/Object;)V
    return-object p0
.end method
.method public putBoolean(Ljava/lang/String;Z)Landroid/content/SharedPreferences$Editor;
    .locals 1
    invoke-static {p2}, Ljava/lang/Boolean;->valueOf(Z)Ljava/lang/Boolean;
    move-result-object v0
    invoke-direct {p0, p1, v0}, Ldevice/StoredEditor;->put(Ljava/lang/String;Ljava/lang/Object;)V
    return-object p0
.end method
.method public remove(Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    .locals 0
    invoke-direct {p0, p1, p0}, Ldevice/StoredEditor;->put(Ljava/lang/String;Ljava/lang/Object;)V
    return-object p0
.end method
.method public clear()Landroid/content/SharedPreferences$Editor;
    .locals 1
    const/4 v0, 0x1
    iput-boolean v0, p0, Ldevice/StoredEditor;->clears:Z
    return-object p0
.end method
.method public apply()V
    .locals 0
    invoke-virtual {p0}, Ldevice/StoredEditor;->commit()Z
    return-void
.end method
.method public commit()Z
    .locals 9
    iget-object v0, p0, Ldevice/StoredEditor;->owner:Ldevice/StoredPreferences;
    iget-object v1, v0, Ldevice/StoredPreferences;->values:Ljava/util/HashMap;
    new-instance v2, Ljava/util/ArrayList;
    invoke-direct {v2}, Ljava/util/ArrayList;-><init>()V
    iget-boolean v3, p0, Ldevice/StoredEditor;->clears:Z
    if-eqz v3, :keep
    invoke-virtual {v1}, Ljava/util/HashMap;->clear()V
    const/4 v4, 0x0
    iput-boolean v4, p0, Ldevice/StoredEditor;->clears:Z
    :keep
    iget-object v4, p0, Ldevice/StoredEditor;->changes:Ljava/util/HashMap;
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
    invoke-virtual {v4, v6}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v7
    if-eqz v7, :removal
    if-eq v7, p0, :removal
    invoke-virtual {v1, v6, v7}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v8
    invoke-virtual {v7, v8}, Ljava/lang/Object;->equals(Ljava/lang/Object;)Z
    move-result v7
    if-nez v7, :next
    goto :counted
    :removal
    invoke-virtual {v1, v6}, Ljava/util/HashMap;->containsKey(Ljava/lang/Object;)Z
    move-result v7
    if-eqz v7, :next
    invoke-virtual {v1, v6}, Ljava/util/HashMap;->remove(Ljava/lang/Object;)Ljava/lang/Object;
    :counted
    invoke-virtual {v2, v6}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    goto :next
    :changed
    invoke-virtual {v4}, Ljava/util/HashMap;->clear()V
    invoke-virtual {v0}, Ldevice/StoredPreferences;->write()V
    if-eqz v3, :names
    const/4 v4, 0x0
    invoke-static {v0, v4}, Ldevice/StoredEditor;->notice(Ldevice/StoredPreferences;Ljava/lang/String;)V
    :names
    invoke-virtual {v2}, Ljava/util/ArrayList;->size()I
    move-result v1
    :each
    add-int/lit8 v1, v1, -0x1
    if-ltz v1, :end
    invoke-virtual {v2, v1}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v3
    check-cast v3, Ljava/lang/String;
    invoke-static {v0, v3}, Ldevice/StoredEditor;->notice(Ldevice/StoredPreferences;Ljava/lang/String;)V
    goto :each
    :end
    const/4 v0, 0x1
    return v0
.end method
.method private static notice(Ldevice/StoredPreferences;Ljava/lang/String;)V
    .locals 2
    iget-object v0, p0, Ldevice/StoredPreferences;->listeners:Ljava/util/HashSet;
    invoke-virtual {v0}, Ljava/util/HashSet;->iterator()Ljava/util/Iterator;
    move-result-object v0
    :next
    invoke-interface {v0}, Ljava/util/Iterator;->hasNext()Z
    move-result v1
    if-eqz v1, :end
    invoke-interface {v0}, Ljava/util/Iterator;->next()Ljava/lang/Object;
    move-result-object v1
    check-cast v1, Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;
    invoke-interface {v1, p0, p1}, Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;->onSharedPreferenceChanged(Landroid/content/SharedPreferences;Ljava/lang/String;)V
    goto :next
    :end
    return-void
.end method


.class public Landroid/preference/PreferenceManager;
.super Ljava/lang/Object;
.method public static getDefaultSharedPreferences(Landroid/content/Context;)Landroid/content/SharedPreferences;
    .locals 2
    invoke-virtual {p0}, Landroid/content/Context;->getPackageName()Ljava/lang/String;
    move-result-object v0
    const-string v1, "_preferences"
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    const/4 v1, 0x0
    invoke-virtual {p0, v0, v1}, Landroid/content/Context;->getSharedPreferences(Ljava/lang/String;I)Landroid/content/SharedPreferences;
    move-result-object v0
    return-object v0
.end method


.class public interface abstract Ljava/security/KeyStore$LoadStoreParameter;
.super Ljava/lang/Object;


.class public Ljava/security/KeyStore;
.super Ljava/lang/Object;
.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
# The file of AndroidKeyStore.
.method public static file()Ljava/lang/String;
    .locals 2
    const-string v0, "keystore"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-nez v0, :answers
    new-instance v0, Ljava/security/GeneralSecurityException;
    const-string v1, "AndroidKeyStore does not answer"
    invoke-direct {v0, v1}, Ljava/security/GeneralSecurityException;-><init>(Ljava/lang/String;)V
    throw v0
    :answers
    return-object v0
.end method
.method public static getInstance(Ljava/lang/String;)Ljava/security/KeyStore;
    .locals 1
    const-string v0, "AndroidKeyStore"
    invoke-virtual {v0, p0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-nez v0, :known
    new-instance v0, Ljava/security/NoSuchAlgorithmException;
    invoke-direct {v0, p0}, Ljava/security/NoSuchAlgorithmException;-><init>(Ljava/lang/String;)V
    throw v0
    :known
    new-instance v0, Ljava/security/KeyStore;
    invoke-direct {v0}, Ljava/security/KeyStore;-><init>()V
    return-object v0
.end method
.method public final load(Ljava/security/KeyStore$LoadStoreParameter;)V
    .locals 0
    return-void
.end method
.method public final getKey(Ljava/lang/String;[C)Ljava/security/Key;
    .locals 3
    invoke-static {}, Ljava/security/KeyStore;->file()Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lhostruntime/Files;->read(Ljava/lang/String;)[B
    move-result-object v0
    if-nez v0, :there
    const/4 v0, 0x0
    return-object v0
    :there
    new-instance v1, Ljavax/crypto/spec/SecretKeySpec;
    const-string v2, "AES"
    invoke-direct {v1, v0, v2}, Ljavax/crypto/spec/SecretKeySpec;-><init>([BLjava/lang/String;)V
    return-object v1
.end method


.class public Ljavax/crypto/KeyGenerator;
.super Ljava/lang/Object;
.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public static final getInstance(Ljava/lang/String;Ljava/lang/String;)Ljavax/crypto/KeyGenerator;
    .locals 1
    new-instance v0, Ljavax/crypto/KeyGenerator;
    invoke-direct {v0}, Ljavax/crypto/KeyGenerator;-><init>()V
    return-object v0
.end method
.method public final init(Ljava/security/spec/AlgorithmParameterSpec;)V
    .locals 0
    return-void
.end method
.method public final generateKey()Ljavax/crypto/SecretKey;
    .locals 3
    invoke-static {}, Ljava/security/KeyStore;->file()Ljava/lang/String;
    move-result-object v0
    const/16 v1, 0x20
    invoke-static {v1}, Lhostruntime/Files;->random(I)[B
    move-result-object v1
    invoke-static {v0, v1}, Lhostruntime/Files;->write(Ljava/lang/String;[B)Z
    new-instance v0, Ljavax/crypto/spec/SecretKeySpec;
    const-string v2, "AES"
    invoke-direct {v0, v1, v2}, Ljavax/crypto/spec/SecretKeySpec;-><init>([BLjava/lang/String;)V
    return-object v0
.end method


.class public final Landroid/security/keystore/KeyGenParameterSpec;
.super Ljava/lang/Object;
.implements Ljava/security/spec/AlgorithmParameterSpec;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method


.class public final Landroid/security/keystore/KeyGenParameterSpec$Builder;
.super Ljava/lang/Object;
.method public constructor <init>(Ljava/lang/String;I)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public varargs setBlockModes([Ljava/lang/String;)Landroid/security/keystore/KeyGenParameterSpec$Builder;
    .locals 0
    return-object p0
.end method
.method public varargs setEncryptionPaddings([Ljava/lang/String;)Landroid/security/keystore/KeyGenParameterSpec$Builder;
    .locals 0
    return-object p0
.end method
.method public setKeySize(I)Landroid/security/keystore/KeyGenParameterSpec$Builder;
    .locals 0
    return-object p0
.end method
.method public build()Landroid/security/keystore/KeyGenParameterSpec;
    .locals 1
    new-instance v0, Landroid/security/keystore/KeyGenParameterSpec;
    invoke-direct {v0}, Landroid/security/keystore/KeyGenParameterSpec;-><init>()V
    return-object v0
.end method


# Does what `script` says, a word with parts for each step, each with `|` behind: `open FILE MODE`, `inherited FILE` (super), `own`, `default`, `other`
# (a context of another package), `edit`, `put TYPE NAME VALUE`, `null NAME`, `remove NAME`, `clear`, `commit`, `apply`, `get TYPE NAME`, `all`,
# `listen`, `deaf`, `elsewhere` (commits on another thread). The name `null` is null.
.class public Lorg/maker/app/Settings;
.super Landroid/app/Activity;
.implements Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;
.field prefs:Landroid/content/SharedPreferences;
.field editor:Landroid/content/SharedPreferences$Editor;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/app/Activity;-><init>()V
    return-void
.end method
.method static print(Ljava/lang/String;)V
    .locals 1
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method
# The first part of a text up to a letter, and what follows it.
.method static parts(Ljava/lang/String;C)[Ljava/lang/String;
    .locals 4
    invoke-virtual {p0, p1}, Ljava/lang/String;->indexOf(I)I
    move-result v0
    const/4 v1, 0x2
    new-array v1, v1, [Ljava/lang/String;
    const/4 v2, 0x0
    invoke-virtual {p0, v2, v0}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    aput-object v3, v1, v2
    add-int/lit8 v0, v0, 0x1
    invoke-virtual {p0, v0}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v3
    const/4 v2, 0x1
    aput-object v3, v1, v2
    return-object v1
.end method
.method protected onCreate()V
    .locals 4
    const-string v0, "script"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    :next
    invoke-virtual {v0}, Ljava/lang/String;->isEmpty()Z
    move-result v1
    if-nez v1, :end
    const/16 v1, 0x7c
    invoke-static {v0, v1}, Lorg/maker/app/Settings;->parts(Ljava/lang/String;C)[Ljava/lang/String;
    move-result-object v1
    const/4 v2, 0x1
    aget-object v0, v1, v2
    const/4 v2, 0x0
    aget-object v1, v1, v2
    const/16 v2, 0x20
    :step
    invoke-static {v1, v2}, Lorg/maker/app/Settings;->parts(Ljava/lang/String;C)[Ljava/lang/String;
    move-result-object v1
    const/4 v2, 0x0
    aget-object v2, v1, v2
    const/4 v3, 0x1
    aget-object v1, v1, v3
    invoke-direct {p0, v2, v1}, Lorg/maker/app/Settings;->step(Ljava/lang/String;Ljava/lang/String;)V
    :stepped
    goto :next
    :failed
    move-exception v1
    invoke-virtual {v1}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v1
    invoke-virtual {v1}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v1
    invoke-static {v1}, Lorg/maker/app/Settings;->print(Ljava/lang/String;)V
    goto :next
    .catch Ljava/lang/RuntimeException; {:step .. :stepped} :failed
    :end
    return-void
.end method
.method static name(Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    const-string v0, "null"
    invoke-virtual {v0, p0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-eqz v0, :named
    const/4 p0, 0x0
    :named
    return-object p0
.end method
.method private step(Ljava/lang/String;Ljava/lang/String;)V
    .locals 7
    iget-object v0, p0, Lorg/maker/app/Settings;->prefs:Landroid/content/SharedPreferences;
    iget-object v1, p0, Lorg/maker/app/Settings;->editor:Landroid/content/SharedPreferences$Editor;
    const/4 v2, 0x0
    const-string v3, "open"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :inherited
    const/16 v3, 0x20
    invoke-static {p2, v3}, Lorg/maker/app/Settings;->parts(Ljava/lang/String;C)[Ljava/lang/String;
    move-result-object v3
    aget-object v4, v3, v2
    const/4 v2, 0x1
    aget-object v2, v3, v2
    invoke-static {v2}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    move-result v5
    invoke-static {v4}, Lorg/maker/app/Settings;->name(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v4
    move-object v3, p0
    invoke-virtual/range {v3 .. v5}, Lorg/maker/app/Settings;->getSharedPreferences(Ljava/lang/String;I)Landroid/content/SharedPreferences;
    move-result-object v0
    goto :opened
    :inherited
    const-string v3, "inherited"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :own
    invoke-super {p0, p2, v2}, Landroid/app/Activity;->getSharedPreferences(Ljava/lang/String;I)Landroid/content/SharedPreferences;
    move-result-object v0
    goto :opened
    :own
    const-string v3, "own"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :default
    invoke-virtual {p0, v2}, Lorg/maker/app/Settings;->getPreferences(I)Landroid/content/SharedPreferences;
    move-result-object v0
    goto :opened
    :default
    const-string v3, "default"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :other
    invoke-static {p0}, Landroid/preference/PreferenceManager;->getDefaultSharedPreferences(Landroid/content/Context;)Landroid/content/SharedPreferences;
    move-result-object v0
    goto :opened
    :other
    const-string v3, "other"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :edit
    new-instance v3, Ldevice/OtherContext;
    invoke-direct {v3}, Ldevice/OtherContext;-><init>()V
    invoke-virtual {v3, p2, v2}, Landroid/content/Context;->getSharedPreferences(Ljava/lang/String;I)Landroid/content/SharedPreferences;
    move-result-object v0
    :opened
    iput-object v0, p0, Lorg/maker/app/Settings;->prefs:Landroid/content/SharedPreferences;
    return-void
    :edit
    const-string v3, "edit"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :put
    invoke-interface {v0}, Landroid/content/SharedPreferences;->edit()Landroid/content/SharedPreferences$Editor;
    move-result-object v1
    iput-object v1, p0, Lorg/maker/app/Settings;->editor:Landroid/content/SharedPreferences$Editor;
    return-void
    :put
    const-string v3, "put"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :null
    invoke-direct {p0, p2}, Lorg/maker/app/Settings;->put(Ljava/lang/String;)V
    return-void
    :null
    const-string v3, "null"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :remove
    const/4 v3, 0x0
    invoke-interface {v1, p2, v3}, Landroid/content/SharedPreferences$Editor;->putString(Ljava/lang/String;Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    return-void
    :remove
    const-string v3, "remove"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :clear
    invoke-static {p2}, Lorg/maker/app/Settings;->name(Ljava/lang/String;)Ljava/lang/String;
    move-result-object p2
    invoke-interface {v1, p2}, Landroid/content/SharedPreferences$Editor;->remove(Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    return-void
    :clear
    const-string v3, "clear"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :commit
    invoke-interface {v1}, Landroid/content/SharedPreferences$Editor;->clear()Landroid/content/SharedPreferences$Editor;
    return-void
    :commit
    const-string v3, "commit"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :apply
    invoke-interface {v1}, Landroid/content/SharedPreferences$Editor;->commit()Z
    move-result v0
    invoke-static {v0}, Ljava/lang/String;->valueOf(Z)Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lorg/maker/app/Settings;->print(Ljava/lang/String;)V
    return-void
    :apply
    const-string v3, "apply"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :get
    invoke-interface {v1}, Landroid/content/SharedPreferences$Editor;->apply()V
    return-void
    :get
    const-string v3, "get"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :all
    invoke-direct {p0, p2}, Lorg/maker/app/Settings;->get(Ljava/lang/String;)V
    return-void
    :all
    const-string v3, "all"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :listen
    invoke-interface {v0}, Landroid/content/SharedPreferences;->getAll()Ljava/util/Map;
    move-result-object v1
    invoke-interface {v1}, Ljava/util/Map;->keySet()Ljava/util/Set;
    move-result-object v2
    invoke-interface {v2}, Ljava/util/Set;->iterator()Ljava/util/Iterator;
    move-result-object v2
    :next
    invoke-interface {v2}, Ljava/util/Iterator;->hasNext()Z
    move-result v3
    if-eqz v3, :end
    invoke-interface {v2}, Ljava/util/Iterator;->next()Ljava/lang/Object;
    move-result-object v3
    check-cast v3, Ljava/lang/String;
    invoke-interface {v1, v3}, Ljava/util/Map;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v4
    invoke-static {v3, v4}, Ldevice/StoredPreferences;->say(Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/String;
    move-result-object v3
    invoke-static {v3}, Lorg/maker/app/Settings;->print(Ljava/lang/String;)V
    goto :next
    :listen
    const-string v3, "listen"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :deaf
    invoke-interface {v0, p0}, Landroid/content/SharedPreferences;->registerOnSharedPreferenceChangeListener(Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;)V
    return-void
    :deaf
    const-string v3, "deaf"
    invoke-virtual {v3, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-eqz v3, :elsewhere
    invoke-interface {v0, p0}, Landroid/content/SharedPreferences;->unregisterOnSharedPreferenceChangeListener(Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;)V
    return-void
    :elsewhere
    new-instance v0, Lorg/maker/app/Elsewhere;
    invoke-direct {v0, v1}, Lorg/maker/app/Elsewhere;-><init>(Landroid/content/SharedPreferences$Editor;)V
    invoke-virtual {v0}, Ljava/lang/Thread;->start()V
    invoke-virtual {v0}, Ljava/lang/Thread;->join()V
    const-string v0, "committed elsewhere"
    invoke-static {v0}, Lorg/maker/app/Settings;->print(Ljava/lang/String;)V
    invoke-static {}, Landroid/os/Looper;->turn()V
    :end
    return-void
.end method
.method private put(Ljava/lang/String;)V
    .locals 6
    iget-object v0, p0, Lorg/maker/app/Settings;->editor:Landroid/content/SharedPreferences$Editor;
    const/4 v1, 0x0
    invoke-virtual {p1, v1}, Ljava/lang/String;->charAt(I)C
    move-result v2
    const/4 v3, 0x2
    invoke-virtual {p1, v3}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v3
    const/16 v4, 0x20
    invoke-static {v3, v4}, Lorg/maker/app/Settings;->parts(Ljava/lang/String;C)[Ljava/lang/String;
    move-result-object v3
    aget-object v1, v3, v1
    invoke-static {v1}, Lorg/maker/app/Settings;->name(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    const/4 v4, 0x1
    aget-object v3, v3, v4
    invoke-static {v2, v3}, Ldevice/StoredPreferences;->value(CLjava/lang/String;)Ljava/lang/Object;
    move-result-object v3
    instance-of v2, v3, Ljava/lang/String;
    if-nez v2, :text
    instance-of v2, v3, Ljava/lang/Integer;
    if-nez v2, :int
    instance-of v2, v3, Ljava/lang/Long;
    if-nez v2, :long
    instance-of v2, v3, Ljava/lang/Float;
    if-nez v2, :float
    instance-of v2, v3, Ljava/lang/Boolean;
    if-nez v2, :boolean
    check-cast v3, Ljava/util/HashSet;
    invoke-interface {v0, v1, v3}, Landroid/content/SharedPreferences$Editor;->putStringSet(Ljava/lang/String;Ljava/util/Set;)Landroid/content/SharedPreferences$Editor;
    # What is done to it afterwards does not count.
    const-string v2, "added"
    invoke-virtual {v3, v2}, Ljava/util/HashSet;->add(Ljava/lang/Object;)Z
    return-void
    :text
    check-cast v3, Ljava/lang/String;
    invoke-interface {v0, v1, v3}, Landroid/content/SharedPreferences$Editor;->putString(Ljava/lang/String;Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    return-void
    :int
    check-cast v3, Ljava/lang/Integer;
    invoke-virtual {v3}, Ljava/lang/Integer;->intValue()I
    move-result v2
    invoke-interface {v0, v1, v2}, Landroid/content/SharedPreferences$Editor;->putInt(Ljava/lang/String;I)Landroid/content/SharedPreferences$Editor;
    return-void
    :long
    check-cast v3, Ljava/lang/Long;
    invoke-virtual {v3}, Ljava/lang/Long;->longValue()J
    move-result-wide v2
    invoke-interface {v0, v1, v2, v3}, Landroid/content/SharedPreferences$Editor;->putLong(Ljava/lang/String;J)Landroid/content/SharedPreferences$Editor;
    return-void
    :float
    check-cast v3, Ljava/lang/Float;
    invoke-virtual {v3}, Ljava/lang/Float;->floatValue()F
    move-result v2
    invoke-interface {v0, v1, v2}, Landroid/content/SharedPreferences$Editor;->putFloat(Ljava/lang/String;F)Landroid/content/SharedPreferences$Editor;
    return-void
    :boolean
    check-cast v3, Ljava/lang/Boolean;
    invoke-virtual {v3}, Ljava/lang/Boolean;->booleanValue()Z
    move-result v2
    invoke-interface {v0, v1, v2}, Landroid/content/SharedPreferences$Editor;->putBoolean(Ljava/lang/String;Z)Landroid/content/SharedPreferences$Editor;
    return-void
.end method
.method private get(Ljava/lang/String;)V
    .locals 7
    iget-object v0, p0, Lorg/maker/app/Settings;->prefs:Landroid/content/SharedPreferences;
    const/4 v1, 0x0
    invoke-virtual {p1, v1}, Ljava/lang/String;->charAt(I)C
    move-result v2
    const/4 v3, 0x2
    invoke-virtual {p1, v3}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v3
    invoke-static {v3}, Lorg/maker/app/Settings;->name(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    invoke-interface {v0, v3}, Landroid/content/SharedPreferences;->contains(Ljava/lang/String;)Z
    move-result v4
    invoke-static {v4}, Ljava/lang/String;->valueOf(Z)Ljava/lang/String;
    move-result-object v4
    invoke-static {v4}, Lorg/maker/app/Settings;->print(Ljava/lang/String;)V
    const/16 v4, 0x73
    if-eq v2, v4, :text
    const/16 v4, 0x69
    if-eq v2, v4, :int
    const/16 v4, 0x6c
    if-eq v2, v4, :long
    const/16 v4, 0x66
    if-eq v2, v4, :float
    const/16 v4, 0x62
    if-eq v2, v4, :boolean
    const/4 v4, 0x0
    invoke-interface {v0, v3, v4}, Landroid/content/SharedPreferences;->getStringSet(Ljava/lang/String;Ljava/util/Set;)Ljava/util/Set;
    move-result-object v4
    goto :got
    :text
    const-string v4, "instead"
    invoke-interface {v0, v3, v4}, Landroid/content/SharedPreferences;->getString(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v4
    goto :got
    :int
    const/16 v4, 0x4d
    invoke-interface {v0, v3, v4}, Landroid/content/SharedPreferences;->getInt(Ljava/lang/String;I)I
    move-result v4
    invoke-static {v4}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v4
    goto :got
    :long
    const-wide/16 v4, 0x4e
    invoke-interface {v0, v3, v4, v5}, Landroid/content/SharedPreferences;->getLong(Ljava/lang/String;J)J
    move-result-wide v4
    invoke-static {v4, v5}, Ljava/lang/Long;->valueOf(J)Ljava/lang/Long;
    move-result-object v4
    goto :got
    :float
    const/high16 v4, 0x3f000000
    invoke-interface {v0, v3, v4}, Landroid/content/SharedPreferences;->getFloat(Ljava/lang/String;F)F
    move-result v4
    invoke-static {v4}, Ljava/lang/Float;->valueOf(F)Ljava/lang/Float;
    move-result-object v4
    goto :got
    :boolean
    const/4 v4, 0x1
    invoke-interface {v0, v3, v4}, Landroid/content/SharedPreferences;->getBoolean(Ljava/lang/String;Z)Z
    move-result v4
    invoke-static {v4}, Ljava/lang/Boolean;->valueOf(Z)Ljava/lang/Boolean;
    move-result-object v4
    :got
    invoke-static {v3, v4}, Ldevice/StoredPreferences;->say(Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/String;
    move-result-object v3
    invoke-static {v3}, Lorg/maker/app/Settings;->print(Ljava/lang/String;)V
    return-void
.end method
.method public onSharedPreferenceChanged(Landroid/content/SharedPreferences;Ljava/lang/String;)V
    .locals 2
    const-string v0, "changed: "
    invoke-static {p2}, Ljava/lang/String;->valueOf(Ljava/lang/Object;)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lorg/maker/app/Settings;->print(Ljava/lang/String;)V
    iget-object v0, p0, Lorg/maker/app/Settings;->prefs:Landroid/content/SharedPreferences;
    if-eq v0, p1, :same
    const-string v0, "in others"
    invoke-static {v0}, Lorg/maker/app/Settings;->print(Ljava/lang/String;)V
    :same
    return-void
.end method


.class final Lorg/maker/app/Elsewhere;
.super Ljava/lang/Thread;
.field private final editor:Landroid/content/SharedPreferences$Editor;
.method constructor <init>(Landroid/content/SharedPreferences$Editor;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Thread;-><init>()V
    iput-object p1, p0, Lorg/maker/app/Elsewhere;->editor:Landroid/content/SharedPreferences$Editor;
    return-void
.end method
.method public run()V
    .locals 1
    iget-object v0, p0, Lorg/maker/app/Elsewhere;->editor:Landroid/content/SharedPreferences$Editor;
    invoke-interface {v0}, Landroid/content/SharedPreferences$Editor;->commit()Z
    return-void
.end method


.class public Ldevice/OtherContext;
.super Landroid/content/Context;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/content/Context;-><init>()V
    return-void
.end method
.method public getApplicationInfo()Landroid/content/pm/ApplicationInfo;
    .locals 2
    new-instance v0, Landroid/content/pm/ApplicationInfo;
    invoke-direct {v0}, Landroid/content/pm/ApplicationInfo;-><init>()V
    const-string v1, "com.example.other"
    iput-object v1, v0, Landroid/content/pm/ApplicationInfo;->packageName:Ljava/lang/String;
    return-object v0
.end method
