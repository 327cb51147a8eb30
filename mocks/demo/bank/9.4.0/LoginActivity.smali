.class public final Lcn/example/pocketbank/LoginActivity;
.super Lcn/example/pocketbank/BankActivity;
.implements Landroid/view/View$OnClickListener;
.implements Ljava/lang/Runnable;

.field private mobile:Landroid/widget/EditText;
.field private password:Landroid/widget/EditText;
.field private typedMobile:Ljava/lang/String;
.field private typedPassword:Ljava/lang/String;

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
    .locals 3
    invoke-static {}, Lcn/example/pocketbank/DeviceCheck;->isRooted()Z
    move-result v0
    if-eqz v0, :trusted
    const v0, 0x7f020010
    invoke-virtual {p0, v0}, Lcn/example/pocketbank/LoginActivity;->say(I)V
    return-void
    :trusted
    iget-object v0, p0, Lcn/example/pocketbank/LoginActivity;->mobile:Landroid/widget/EditText;
    invoke-static {v0}, Lcn/example/pocketbank/LoginActivity;->typed(Landroid/widget/EditText;)Ljava/lang/String;
    move-result-object v0
    iput-object v0, p0, Lcn/example/pocketbank/LoginActivity;->typedMobile:Ljava/lang/String;
    iget-object v0, p0, Lcn/example/pocketbank/LoginActivity;->password:Landroid/widget/EditText;
    invoke-static {v0}, Lcn/example/pocketbank/LoginActivity;->typed(Landroid/widget/EditText;)Ljava/lang/String;
    move-result-object v0
    iput-object v0, p0, Lcn/example/pocketbank/LoginActivity;->typedPassword:Ljava/lang/String;
    new-instance v1, Ljava/lang/Thread;
    const-string v2, "login"
    invoke-direct {v1, p0, v2}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V
    invoke-virtual {v1}, Ljava/lang/Thread;->start()V
    return-void
.end method

.method public run()V
    .locals 6
    invoke-static {}, Lcn/example/pocketbank/Session;->isOpen()Z
    move-result v0
    if-eqz v0, :ask
    invoke-direct {p0}, Lcn/example/pocketbank/LoginActivity;->enter()V
    return-void
    :ask
    :try_start
    new-instance v0, Lorg/json/JSONObject;
    invoke-direct {v0}, Lorg/json/JSONObject;-><init>()V
    const-string v1, "mobile"
    iget-object v2, p0, Lcn/example/pocketbank/LoginActivity;->typedMobile:Ljava/lang/String;
    invoke-virtual {v0, v1, v2}, Lorg/json/JSONObject;->put(Ljava/lang/String;Ljava/lang/Object;)Lorg/json/JSONObject;
    const-string v2, "salts"
    invoke-virtual {v0}, Lorg/json/JSONObject;->toString()Ljava/lang/String;
    move-result-object v3
    invoke-static {v2, v3}, Lcn/example/pocketbank/ApiClient;->post(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    new-instance v4, Lorg/json/JSONObject;
    invoke-direct {v4, v3}, Lorg/json/JSONObject;-><init>(Ljava/lang/String;)V
    const-string v2, "salt"
    invoke-virtual {v4, v2}, Lorg/json/JSONObject;->getString(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    iget-object v4, p0, Lcn/example/pocketbank/LoginActivity;->typedPassword:Ljava/lang/String;
    invoke-static {v4, v3}, Lcn/example/pocketbank/PinDigest;->of(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    const-string v2, "pin"
    invoke-virtual {v0, v2, v3}, Lorg/json/JSONObject;->put(Ljava/lang/String;Ljava/lang/Object;)Lorg/json/JSONObject;
    const-string v2, "sessions"
    invoke-virtual {v0}, Lorg/json/JSONObject;->toString()Ljava/lang/String;
    move-result-object v3
    invoke-static {v2, v3}, Lcn/example/pocketbank/ApiClient;->post(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    new-instance v4, Lorg/json/JSONObject;
    invoke-direct {v4, v3}, Lorg/json/JSONObject;-><init>(Ljava/lang/String;)V
    const-string v2, "session"
    invoke-virtual {v4, v2}, Lorg/json/JSONObject;->getString(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    invoke-static {v3}, Lcn/example/pocketbank/Session;->open(Ljava/lang/String;)V
    invoke-static {p0, v3}, Lcn/example/pocketbank/Vault;->save(Landroid/content/Context;Ljava/lang/String;)V
    invoke-virtual {p0, p0}, Lcn/example/pocketbank/LoginActivity;->runOnUiThread(Ljava/lang/Runnable;)V
    :try_end
    .catch Ljava/lang/Exception; {:try_start .. :try_end} :failed
    return-void
    :failed
    move-exception v5
    const-string v1, "PocketBank"
    const-string v2, "not signed in"
    invoke-static {v1, v2}, Landroid/util/Log;->w(Ljava/lang/String;Ljava/lang/String;)I
    return-void
.end method
