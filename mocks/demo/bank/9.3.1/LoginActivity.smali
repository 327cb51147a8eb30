# Weaknesses: the password goes to the log, and stays in the preferences as it was typed.
.class public final Lcn/example/pocketbank/LoginActivity;
.super Lcn/example/pocketbank/BankActivity;
.implements Landroid/view/View$OnClickListener;
.implements Ljava/lang/Runnable;

.field private mobile:Landroid/widget/EditText;
.field private password:Landroid/widget/EditText;
.field private request:Ljava/lang/String;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Lcn/example/pocketbank/BankActivity;-><init>()V
    return-void
.end method

.method protected onCreate(Landroid/os/Bundle;)V
    .locals 4
    invoke-super {p0, p1}, Lcn/example/pocketbank/BankActivity;->onCreate(Landroid/os/Bundle;)V
    const v0, 0x7f020001
    invoke-virtual {p0, v0}, Lcn/example/pocketbank/LoginActivity;->column(I)Landroid/widget/LinearLayout;
    move-result-object v0
    const v1, 0x7f020002
    const/4 v2, 0x3
    invoke-virtual {p0, v0, v1, v2}, Lcn/example/pocketbank/LoginActivity;->field(Landroid/widget/LinearLayout;II)Landroid/widget/EditText;
    move-result-object v3
    iput-object v3, p0, Lcn/example/pocketbank/LoginActivity;->mobile:Landroid/widget/EditText;
    const v1, 0x7f020003
    const/16 v2, 0x81
    invoke-virtual {p0, v0, v1, v2}, Lcn/example/pocketbank/LoginActivity;->field(Landroid/widget/LinearLayout;II)Landroid/widget/EditText;
    move-result-object v3
    iput-object v3, p0, Lcn/example/pocketbank/LoginActivity;->password:Landroid/widget/EditText;
    const v1, 0x7f020001
    invoke-virtual {p0, v0, v1, p0}, Lcn/example/pocketbank/LoginActivity;->button(Landroid/widget/LinearLayout;ILandroid/view/View$OnClickListener;)V
    invoke-static {p0}, Lcn/example/pocketbank/Vault;->load(Landroid/content/Context;)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/String;->isEmpty()Z
    move-result v1
    if-nez v1, :signed_out
    invoke-static {v0}, Lcn/example/pocketbank/Session;->open(Ljava/lang/String;)V
    invoke-direct {p0}, Lcn/example/pocketbank/LoginActivity;->enter()V
    :signed_out
    return-void
.end method

.method private enter()V
    .locals 2
    new-instance v0, Landroid/content/Intent;
    const-class v1, Lcn/example/pocketbank/AccountsActivity;
    invoke-direct {v0, p0, v1}, Landroid/content/Intent;-><init>(Landroid/content/Context;Ljava/lang/Class;)V
    invoke-virtual {p0, v0}, Lcn/example/pocketbank/LoginActivity;->startActivity(Landroid/content/Intent;)V
    invoke-virtual {p0}, Lcn/example/pocketbank/LoginActivity;->finish()V
    return-void
.end method

.method public onClick(Landroid/view/View;)V
    .locals 5
    iget-object v0, p0, Lcn/example/pocketbank/LoginActivity;->mobile:Landroid/widget/EditText;
    invoke-static {v0}, Lcn/example/pocketbank/LoginActivity;->typed(Landroid/widget/EditText;)Ljava/lang/String;
    move-result-object v0
    iget-object v1, p0, Lcn/example/pocketbank/LoginActivity;->password:Landroid/widget/EditText;
    invoke-static {v1}, Lcn/example/pocketbank/LoginActivity;->typed(Landroid/widget/EditText;)Ljava/lang/String;
    move-result-object v1
    new-instance v2, Ljava/lang/StringBuilder;
    invoke-direct {v2}, Ljava/lang/StringBuilder;-><init>()V
    const-string v3, "login with password="
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v2, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v2}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v2
    const-string v3, "PocketBank"
    invoke-static {v3, v2}, Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I
    const-string v2, "login"
    const/4 v3, 0x0
    invoke-virtual {p0, v2, v3}, Lcn/example/pocketbank/LoginActivity;->getSharedPreferences(Ljava/lang/String;I)Landroid/content/SharedPreferences;
    move-result-object v2
    invoke-interface {v2}, Landroid/content/SharedPreferences;->edit()Landroid/content/SharedPreferences$Editor;
    move-result-object v2
    const-string v3, "password"
    invoke-interface {v2, v3, v1}, Landroid/content/SharedPreferences$Editor;->putString(Ljava/lang/String;Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    invoke-interface {v2}, Landroid/content/SharedPreferences$Editor;->apply()V
    new-instance v2, Lorg/json/JSONObject;
    invoke-direct {v2}, Lorg/json/JSONObject;-><init>()V
    :try_start
    const-string v3, "mobile"
    invoke-virtual {v2, v3, v0}, Lorg/json/JSONObject;->put(Ljava/lang/String;Ljava/lang/Object;)Lorg/json/JSONObject;
    const-string v3, "pin"
    invoke-static {v1}, Lcn/example/pocketbank/PinDigest;->of(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v4
    invoke-virtual {v2, v3, v4}, Lorg/json/JSONObject;->put(Ljava/lang/String;Ljava/lang/Object;)Lorg/json/JSONObject;
    invoke-virtual {v2}, Lorg/json/JSONObject;->toString()Ljava/lang/String;
    move-result-object v2
    iput-object v2, p0, Lcn/example/pocketbank/LoginActivity;->request:Ljava/lang/String;
    new-instance v2, Ljava/lang/Thread;
    const-string v3, "login"
    invoke-direct {v2, p0, v3}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V
    invoke-virtual {v2}, Ljava/lang/Thread;->start()V
    :try_end
    .catch Ljava/lang/Exception; {:try_start .. :try_end} :failed
    return-void
    :failed
    move-exception v2
    const v0, 0x7f02000d
    invoke-virtual {p0, v0}, Lcn/example/pocketbank/LoginActivity;->say(I)V
    return-void
.end method

.method public run()V
    .locals 3
    invoke-static {}, Lcn/example/pocketbank/Session;->isOpen()Z
    move-result v0
    if-eqz v0, :ask
    invoke-direct {p0}, Lcn/example/pocketbank/LoginActivity;->enter()V
    return-void
    :ask
    :try_start
    const-string v0, "sessions"
    iget-object v1, p0, Lcn/example/pocketbank/LoginActivity;->request:Ljava/lang/String;
    invoke-static {v0, v1}, Lcn/example/pocketbank/ApiClient;->post(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    new-instance v1, Lorg/json/JSONObject;
    invoke-direct {v1, v0}, Lorg/json/JSONObject;-><init>(Ljava/lang/String;)V
    const-string v0, "session"
    invoke-virtual {v1, v0}, Lorg/json/JSONObject;->getString(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lcn/example/pocketbank/Session;->open(Ljava/lang/String;)V
    invoke-static {p0, v0}, Lcn/example/pocketbank/Vault;->save(Landroid/content/Context;Ljava/lang/String;)V
    invoke-virtual {p0, p0}, Lcn/example/pocketbank/LoginActivity;->runOnUiThread(Ljava/lang/Runnable;)V
    :try_end
    .catch Ljava/lang/Exception; {:try_start .. :try_end} :failed
    return-void
    :failed
    move-exception v0
    const-string v1, "PocketBank"
    const-string v2, "not signed in"
    invoke-static {v1, v2, v0}, Landroid/util/Log;->w(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Throwable;)I
    return-void
.end method
