.class public final Lcn/example/pocketbank/OpenScreen;
.super Ljava/lang/Object;
.implements Landroid/view/View$OnClickListener;

.field private final from:Landroid/app/Activity;
.field private final page:Ljava/lang/String;
.field private final screen:Ljava/lang/Class;

.method public constructor <init>(Landroid/app/Activity;Ljava/lang/Class;Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lcn/example/pocketbank/OpenScreen;->from:Landroid/app/Activity;
    iput-object p2, p0, Lcn/example/pocketbank/OpenScreen;->screen:Ljava/lang/Class;
    iput-object p3, p0, Lcn/example/pocketbank/OpenScreen;->page:Ljava/lang/String;
    return-void
.end method

.method public onClick(Landroid/view/View;)V
    .locals 4
    iget-object v0, p0, Lcn/example/pocketbank/OpenScreen;->from:Landroid/app/Activity;
    iget-object v1, p0, Lcn/example/pocketbank/OpenScreen;->screen:Ljava/lang/Class;
    new-instance v2, Landroid/content/Intent;
    invoke-direct {v2, v0, v1}, Landroid/content/Intent;-><init>(Landroid/content/Context;Ljava/lang/Class;)V
    const-string v1, "page"
    iget-object v3, p0, Lcn/example/pocketbank/OpenScreen;->page:Ljava/lang/String;
    invoke-virtual {v2, v1, v3}, Landroid/content/Intent;->putExtra(Ljava/lang/String;Ljava/lang/String;)Landroid/content/Intent;
    invoke-virtual {v0, v2}, Landroid/app/Activity;->startActivity(Landroid/content/Intent;)V
    return-void
.end method
