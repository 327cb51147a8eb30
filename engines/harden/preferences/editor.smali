# Collects changes until they are written; it can be used again afterwards.
.class final Lappwarden/preferences/Editor;
.super Ljava/lang/Object;
.implements Landroid/content/SharedPreferences$Editor;
.field private final owner:Lappwarden/preferences/Preferences;
# Names to values; null and the editor itself are removals.
.field private changes:Ljava/util/HashMap;
.field private clears:Z

.method constructor <init>(Lappwarden/preferences/Preferences;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lappwarden/preferences/Editor;->owner:Lappwarden/preferences/Preferences;
    invoke-virtual {p0}, Lappwarden/preferences/Editor;->take()Ljava/util/HashMap;
    return-void
.end method

.method declared-synchronized take()Ljava/util/HashMap;
    .locals 2
    iget-object v0, p0, Lappwarden/preferences/Editor;->changes:Ljava/util/HashMap;
    new-instance v1, Ljava/util/HashMap;
    invoke-direct {v1}, Ljava/util/HashMap;-><init>()V
    iput-object v1, p0, Lappwarden/preferences/Editor;->changes:Ljava/util/HashMap;
    return-object v0
.end method

.method declared-synchronized takeClear()Z
    .locals 2
    iget-boolean v0, p0, Lappwarden/preferences/Editor;->clears:Z
    const/4 v1, 0x0
    iput-boolean v1, p0, Lappwarden/preferences/Editor;->clears:Z
    return v0
.end method

.method private declared-synchronized change(Ljava/lang/String;Ljava/lang/Object;)Landroid/content/SharedPreferences$Editor;
    .locals 1
    iget-object v0, p0, Lappwarden/preferences/Editor;->changes:Ljava/util/HashMap;
    invoke-virtual {v0, p1, p2}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    return-object p0
.end method

.method public putString(Ljava/lang/String;Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    .locals 0
    invoke-direct {p0, p1, p2}, Lappwarden/preferences/Editor;->change(Ljava/lang/String;Ljava/lang/Object;)Landroid/content/SharedPreferences$Editor;
    return-object p0
.end method

.method public putStringSet(Ljava/lang/String;Ljava/util/Set;)Landroid/content/SharedPreferences$Editor;
    .locals 1
    const/4 v0, 0x0
    if-eqz p2, :removal
    new-instance v0, Ljava/util/HashSet;
    invoke-direct {v0, p2}, Ljava/util/HashSet;-><init>(Ljava/util/Collection;)V
    :removal
    invoke-direct {p0, p1, v0}, Lappwarden/preferences/Editor;->change(Ljava/lang/String;Ljava/lang/Object;)Landroid/content/SharedPreferences$Editor;
    return-object p0
.end method

.method public putInt(Ljava/lang/String;I)Landroid/content/SharedPreferences$Editor;
    .locals 1
    invoke-static {p2}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v0
    invoke-direct {p0, p1, v0}, Lappwarden/preferences/Editor;->change(Ljava/lang/String;Ljava/lang/Object;)Landroid/content/SharedPreferences$Editor;
    return-object p0
.end method

.method public putLong(Ljava/lang/String;J)Landroid/content/SharedPreferences$Editor;
    .locals 1
    invoke-static {p2, p3}, Ljava/lang/Long;->valueOf(J)Ljava/lang/Long;
    move-result-object v0
    invoke-direct {p0, p1, v0}, Lappwarden/preferences/Editor;->change(Ljava/lang/String;Ljava/lang/Object;)Landroid/content/SharedPreferences$Editor;
    return-object p0
.end method

.method public putFloat(Ljava/lang/String;F)Landroid/content/SharedPreferences$Editor;
    .locals 1
    invoke-static {p2}, Ljava/lang/Float;->valueOf(F)Ljava/lang/Float;
    move-result-object v0
    invoke-direct {p0, p1, v0}, Lappwarden/preferences/Editor;->change(Ljava/lang/String;Ljava/lang/Object;)Landroid/content/SharedPreferences$Editor;
    return-object p0
.end method

.method public putBoolean(Ljava/lang/String;Z)Landroid/content/SharedPreferences$Editor;
    .locals 1
    invoke-static {p2}, Ljava/lang/Boolean;->valueOf(Z)Ljava/lang/Boolean;
    move-result-object v0
    invoke-direct {p0, p1, v0}, Lappwarden/preferences/Editor;->change(Ljava/lang/String;Ljava/lang/Object;)Landroid/content/SharedPreferences$Editor;
    return-object p0
.end method

.method public remove(Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    .locals 0
    invoke-direct {p0, p1, p0}, Lappwarden/preferences/Editor;->change(Ljava/lang/String;Ljava/lang/Object;)Landroid/content/SharedPreferences$Editor;
    return-object p0
.end method

# What is put in the same change stays, before or after.
.method public declared-synchronized clear()Landroid/content/SharedPreferences$Editor;
    .locals 1
    const/4 v0, 0x1
    iput-boolean v0, p0, Lappwarden/preferences/Editor;->clears:Z
    return-object p0
.end method

.method public commit()Z
    .locals 2
    iget-object v0, p0, Lappwarden/preferences/Editor;->owner:Lappwarden/preferences/Preferences;
    const/4 v1, 0x1
    invoke-virtual {v0, p0, v1}, Lappwarden/preferences/Preferences;->write(Lappwarden/preferences/Editor;Z)Z
    move-result v0
    return v0
.end method

.method public apply()V
    .locals 2
    iget-object v0, p0, Lappwarden/preferences/Editor;->owner:Lappwarden/preferences/Preferences;
    const/4 v1, 0x0
    invoke-virtual {v0, p0, v1}, Lappwarden/preferences/Preferences;->write(Lappwarden/preferences/Editor;Z)Z
    return-void
.end method
