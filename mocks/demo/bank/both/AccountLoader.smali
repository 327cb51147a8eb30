# Gets the accounts beside the main thread, and hands them to the screen on it.
.class public final Lcn/example/pocketbank/AccountLoader;
.super Ljava/lang/Object;
.implements Ljava/lang/Runnable;

.field private found:Ljava/util/List;
.field private final screen:Lcn/example/pocketbank/AccountsActivity;

.method public constructor <init>(Lcn/example/pocketbank/AccountsActivity;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lcn/example/pocketbank/AccountLoader;->screen:Lcn/example/pocketbank/AccountsActivity;
    return-void
.end method

.method public run()V
    .locals 3
    iget-object v0, p0, Lcn/example/pocketbank/AccountLoader;->screen:Lcn/example/pocketbank/AccountsActivity;
    iget-object v1, p0, Lcn/example/pocketbank/AccountLoader;->found:Ljava/util/List;
    if-eqz v1, :load
    invoke-virtual {v0, v1}, Lcn/example/pocketbank/AccountsActivity;->show(Ljava/util/List;)V
    return-void
    :load
    :try_start
    invoke-static {}, Lcn/example/pocketbank/AccountLoader;->load()Ljava/util/List;
    move-result-object v1
    :try_end
    .catch Ljava/lang/Exception; {:try_start .. :try_end} :failed
    goto :hand_over
    :failed
    move-exception v2
    new-instance v1, Ljava/util/ArrayList;
    invoke-direct {v1}, Ljava/util/ArrayList;-><init>()V
    :hand_over
    iput-object v1, p0, Lcn/example/pocketbank/AccountLoader;->found:Ljava/util/List;
    invoke-virtual {v0, p0}, Lcn/example/pocketbank/AccountsActivity;->runOnUiThread(Ljava/lang/Runnable;)V
    return-void
.end method

.method public static load()Ljava/util/List;
    .locals 5
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Ljava/io/IOException;,
            Lorg/json/JSONException;
        }
    .end annotation
    const-string v0, "accounts"
    invoke-static {v0}, Lcn/example/pocketbank/ApiClient;->get(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    new-instance v1, Lorg/json/JSONArray;
    invoke-direct {v1, v0}, Lorg/json/JSONArray;-><init>(Ljava/lang/String;)V
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    const/4 v2, 0x0
    :next
    invoke-virtual {v1}, Lorg/json/JSONArray;->length()I
    move-result v3
    if-ge v2, v3, :done
    invoke-virtual {v1, v2}, Lorg/json/JSONArray;->getJSONObject(I)Lorg/json/JSONObject;
    move-result-object v3
    invoke-static {v3}, Lcn/example/pocketbank/Account;->read(Lorg/json/JSONObject;)Lcn/example/pocketbank/Account;
    move-result-object v4
    invoke-virtual {v0, v4}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    add-int/lit8 v2, v2, 0x1
    goto :next
    :done
    return-object v0
.end method
