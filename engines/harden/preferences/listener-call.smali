# Says to listeners which entries were changed.
.class final Lappwarden/preferences/ListenerCall;
.super Ljava/lang/Object;
.implements Ljava/lang/Runnable;
.field private final owner:Landroid/content/SharedPreferences;
.field private final listeners:Ljava/util/ArrayList;
.field private final names:Ljava/util/ArrayList;

.method constructor <init>(Landroid/content/SharedPreferences;Ljava/util/ArrayList;Ljava/util/ArrayList;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lappwarden/preferences/ListenerCall;->owner:Landroid/content/SharedPreferences;
    iput-object p2, p0, Lappwarden/preferences/ListenerCall;->listeners:Ljava/util/ArrayList;
    iput-object p3, p0, Lappwarden/preferences/ListenerCall;->names:Ljava/util/ArrayList;
    return-void
.end method

.method public run()V
    .locals 6
    iget-object v0, p0, Lappwarden/preferences/ListenerCall;->names:Ljava/util/ArrayList;
    invoke-virtual {v0}, Ljava/util/ArrayList;->iterator()Ljava/util/Iterator;
    move-result-object v0
    :next
    invoke-interface {v0}, Ljava/util/Iterator;->hasNext()Z
    move-result v1
    if-eqz v1, :end
    invoke-interface {v0}, Ljava/util/Iterator;->next()Ljava/lang/Object;
    move-result-object v1
    check-cast v1, Ljava/lang/String;
    iget-object v2, p0, Lappwarden/preferences/ListenerCall;->listeners:Ljava/util/ArrayList;
    invoke-virtual {v2}, Ljava/util/ArrayList;->iterator()Ljava/util/Iterator;
    move-result-object v2
    :each
    invoke-interface {v2}, Ljava/util/Iterator;->hasNext()Z
    move-result v3
    if-eqz v3, :next
    invoke-interface {v2}, Ljava/util/Iterator;->next()Ljava/lang/Object;
    move-result-object v3
    check-cast v3, Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;
    iget-object v4, p0, Lappwarden/preferences/ListenerCall;->owner:Landroid/content/SharedPreferences;
    invoke-interface {v3, v4, v1}, Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;->onSharedPreferenceChanged(Landroid/content/SharedPreferences;Ljava/lang/String;)V
    goto :each
    :end
    return-void
.end method
