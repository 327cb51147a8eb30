# Files of the package, as AssetManager and Resources give them: of the file `assets`, or of the package that runs. `raw.7f010000` names the entry of a
# resource.

.class public final Landroid/content/res/AssetManager;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public open(Ljava/lang/String;)Ljava/io/InputStream;
    .locals 1
    const/4 v0, 0x2
    invoke-virtual {p0, p1, v0}, Landroid/content/res/AssetManager;->open(Ljava/lang/String;I)Ljava/io/InputStream;
    move-result-object v0
    return-object v0
.end method
.method public open(Ljava/lang/String;I)Ljava/io/InputStream;
    .locals 2
    const-string v0, "assets/"
    invoke-virtual {v0, p1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Landroid/content/res/AssetManager;->entry(Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v0
    if-nez v0, :there
    new-instance v0, Ljava/io/FileNotFoundException;
    invoke-direct {v0, p1}, Ljava/io/FileNotFoundException;-><init>(Ljava/lang/String;)V
    throw v0
    :there
    return-object v0
.end method
# Null where there is no such entry.
.method static entry(Ljava/lang/String;)Ljava/io/InputStream;
    .locals 3
    const-string v0, "code"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    const-string v1, "assets"
    invoke-static {v1, v0}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    new-instance v1, Ljava/util/zip/ZipFile;
    invoke-direct {v1, v0}, Ljava/util/zip/ZipFile;-><init>(Ljava/lang/String;)V
    invoke-virtual {v1, p0}, Ljava/util/zip/ZipFile;->getEntry(Ljava/lang/String;)Ljava/util/zip/ZipEntry;
    move-result-object v0
    if-eqz v0, :none
    invoke-virtual {v1, v0}, Ljava/util/zip/ZipFile;->getInputStream(Ljava/util/zip/ZipEntry;)Ljava/io/InputStream;
    move-result-object v0
    return-object v0
    :none
    const/4 v0, 0x0
    return-object v0
.end method


.class public Landroid/util/TypedValue;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method


.class public Landroid/content/res/Resources$NotFoundException;
.super Ljava/lang/RuntimeException;
.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0, p1}, Ljava/lang/RuntimeException;-><init>(Ljava/lang/String;)V
    return-void
.end method


.class public Landroid/content/res/Resources;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public openRawResource(I)Ljava/io/InputStream;
    .locals 2
    new-instance v0, Landroid/util/TypedValue;
    invoke-direct {v0}, Landroid/util/TypedValue;-><init>()V
    invoke-virtual {p0, p1, v0}, Landroid/content/res/Resources;->openRawResource(ILandroid/util/TypedValue;)Ljava/io/InputStream;
    move-result-object v0
    return-object v0
.end method
.method public openRawResource(ILandroid/util/TypedValue;)Ljava/io/InputStream;
    .locals 2
    invoke-static {p1}, Ljava/lang/Integer;->toHexString(I)Ljava/lang/String;
    move-result-object v0
    const-string v1, "raw."
    invoke-virtual {v1, v0}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    invoke-static {v1, v0}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    invoke-static {v1}, Landroid/content/res/AssetManager;->entry(Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v1
    if-nez v1, :there
    new-instance v1, Landroid/content/res/Resources$NotFoundException;
    invoke-direct {v1, v0}, Landroid/content/res/Resources$NotFoundException;-><init>(Ljava/lang/String;)V
    throw v1
    :there
    return-object v1
.end method


# Resources of the app's own class: what it gives is that of Android.
.class public Lorg/maker/app/OwnResources;
.super Landroid/content/res/Resources;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/content/res/Resources;-><init>()V
    return-void
.end method
.method public openRawResource(I)Ljava/io/InputStream;
    .locals 1
    invoke-super {p0, p1}, Landroid/content/res/Resources;->openRawResource(I)Ljava/io/InputStream;
    move-result-object v0
    return-object v0
.end method


# Prints the files that `opens` names, each followed by a comma: `a` by name, `m` by name and mode, `r`, `v` and `o` by the number of a resource.
.class public Lorg/maker/app/Reading;
.super Landroid/app/Activity;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/app/Activity;-><init>()V
    return-void
.end method
.method protected onCreate()V
    .locals 5
    const-string v0, "opens"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    const/4 v1, 0x0
    :next
    const/16 v2, 0x2c
    invoke-virtual {v0, v2, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v2
    if-ltz v2, :end
    invoke-virtual {v0, v1, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    add-int/lit8 v1, v2, 0x1
    sget-object v2, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    :opening
    invoke-static {v3}, Lorg/maker/app/Reading;->open(Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v3
    invoke-static {v3}, Lhostruntime/Files;->all(Ljava/io/InputStream;)[B
    move-result-object v3
    invoke-static {v3}, Lhostruntime/Files;->base64([B)Ljava/lang/String;
    move-result-object v3
    :opened
    invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    goto :next
    :failed
    move-exception v3
    invoke-virtual {v3}, Ljava/lang/Throwable;->toString()Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    goto :next
    .catch Ljava/lang/Exception; {:opening .. :opened} :failed
    :end
    return-void
.end method
.method static open(Ljava/lang/String;)Ljava/io/InputStream;
    .locals 5
    const/4 v0, 0x1
    invoke-virtual {p0, v0}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v1
    const/4 v2, 0x0
    invoke-virtual {p0, v2}, Ljava/lang/String;->charAt(I)C
    move-result v2
    new-instance v3, Landroid/content/res/AssetManager;
    invoke-direct {v3}, Landroid/content/res/AssetManager;-><init>()V
    const/16 v4, 0x61
    if-ne v2, v4, :mode
    invoke-virtual {v3, v1}, Landroid/content/res/AssetManager;->open(Ljava/lang/String;)Ljava/io/InputStream;
    move-result-object v0
    return-object v0
    :mode
    const/16 v4, 0x6d
    if-ne v2, v4, :resource
    
    invoke-virtual {v3, v1, v0}, Landroid/content/res/AssetManager;->open(Ljava/lang/String;I)Ljava/io/InputStream;
    move-result-object v0
    return-object v0
    :resource
    const/16 v0, 0x10
    invoke-static {v1, v0}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;I)I
    move-result v1
    const/16 v4, 0x6f
    if-ne v2, v4, :android
    new-instance v0, Lorg/maker/app/OwnResources;
    invoke-direct {v0}, Lorg/maker/app/OwnResources;-><init>()V
    invoke-virtual {v0, v1}, Lorg/maker/app/OwnResources;->openRawResource(I)Ljava/io/InputStream;
    move-result-object v0
    return-object v0
    :android
    new-instance v0, Landroid/content/res/Resources;
    invoke-direct {v0}, Landroid/content/res/Resources;-><init>()V
    const/16 v4, 0x76
    if-ne v2, v4, :plain
    move v3, v1
    move-object v2, v0
    new-instance v4, Landroid/util/TypedValue;
    invoke-direct {v4}, Landroid/util/TypedValue;-><init>()V
    invoke-virtual/range {v2 .. v4}, Landroid/content/res/Resources;->openRawResource(ILandroid/util/TypedValue;)Ljava/io/InputStream;
    move-result-object v0
    return-object v0
    :plain
    invoke-virtual {v0, v1}, Landroid/content/res/Resources;->openRawResource(I)Ljava/io/InputStream;
    move-result-object v0
    return-object v0
.end method
