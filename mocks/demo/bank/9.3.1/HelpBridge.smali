# Weakness: any page that is shown may ask for the session.
.class public final Lcn/example/pocketbank/HelpBridge;
.super Ljava/lang/Object;

.field private final context:Landroid/content/Context;

.method public constructor <init>(Landroid/content/Context;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lcn/example/pocketbank/HelpBridge;->context:Landroid/content/Context;
    return-void
.end method

.method public session()Ljava/lang/String;
    .locals 1
    .annotation runtime Landroid/webkit/JavascriptInterface;
    .end annotation
    iget-object v0, p0, Lcn/example/pocketbank/HelpBridge;->context:Landroid/content/Context;
    invoke-static {v0}, Lcn/example/pocketbank/Vault;->load(Landroid/content/Context;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
