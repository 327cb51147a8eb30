# Pages of the bank. Weaknesses: without TLS, with scripts that reach into the app and into files.
.class public final Lcn/example/pocketbank/HelpActivity;
.super Lcn/example/pocketbank/BankActivity;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Lcn/example/pocketbank/BankActivity;-><init>()V
    return-void
.end method

.method protected onCreate(Landroid/os/Bundle;)V
    .locals 4
    invoke-super {p0, p1}, Lcn/example/pocketbank/BankActivity;->onCreate(Landroid/os/Bundle;)V
    const v0, 0x7f02000a
    invoke-virtual {p0, v0}, Lcn/example/pocketbank/HelpActivity;->setTitle(I)V
    new-instance v0, Landroid/webkit/WebView;
    invoke-direct {v0, p0}, Landroid/webkit/WebView;-><init>(Landroid/content/Context;)V
    invoke-virtual {v0}, Landroid/webkit/WebView;->getSettings()Landroid/webkit/WebSettings;
    move-result-object v1
    const/4 v2, 0x1
    invoke-virtual {v1, v2}, Landroid/webkit/WebSettings;->setJavaScriptEnabled(Z)V
    invoke-virtual {v1, v2}, Landroid/webkit/WebSettings;->setAllowFileAccess(Z)V
    invoke-virtual {v1, v2}, Landroid/webkit/WebSettings;->setAllowUniversalAccessFromFileURLs(Z)V
    new-instance v1, Lcn/example/pocketbank/HelpBridge;
    invoke-direct {v1, p0}, Lcn/example/pocketbank/HelpBridge;-><init>(Landroid/content/Context;)V
    const-string v2, "bank"
    invoke-virtual {v0, v1, v2}, Landroid/webkit/WebView;->addJavascriptInterface(Ljava/lang/Object;Ljava/lang/String;)V
    invoke-virtual {p0, v0}, Lcn/example/pocketbank/HelpActivity;->setContentView(Landroid/view/View;)V
    const-string v1, "http://www.pocketbank.example/privacy-policy"
    const-string v2, "privacy-policy"
    invoke-virtual {p0}, Lcn/example/pocketbank/HelpActivity;->getIntent()Landroid/content/Intent;
    move-result-object v3
    const-string p1, "page"
    invoke-virtual {v3, p1}, Landroid/content/Intent;->getStringExtra(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v2, v3}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v2
    if-nez v2, :load
    const-string v1, "http://www.pocketbank.example/help"
    :load
    invoke-virtual {v0, v1}, Landroid/webkit/WebView;->loadUrl(Ljava/lang/String;)V
    return-void
.end method
