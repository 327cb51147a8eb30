# Runs main of a class in a dex file that exists in memory only. Arguments: class, the file in hexadecimal digits.
.class public Lprograms/Loading;
.super Ljava/lang/Object;

.method static bytes(Ljava/lang/String;)[B
    .locals 7
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    shr-int/lit8 v1, v0, 0x1
    new-array v1, v1, [B
    const/4 v2, 0x0
    :next
    if-ge v2, v0, :done
    invoke-virtual {p0, v2}, Ljava/lang/String;->charAt(I)C
    move-result v3
    invoke-static {v3}, Lprograms/Loading;->digit(C)I
    move-result v3
    add-int/lit8 v2, v2, 0x1
    invoke-virtual {p0, v2}, Ljava/lang/String;->charAt(I)C
    move-result v4
    invoke-static {v4}, Lprograms/Loading;->digit(C)I
    move-result v4
    shl-int/lit8 v3, v3, 0x4
    or-int/2addr v3, v4
    int-to-byte v3, v3
    shr-int/lit8 v4, v2, 0x1
    aput-byte v3, v1, v4
    add-int/lit8 v2, v2, 0x1
    goto :next
    :done
    return-object v1
.end method

.method static digit(C)I
    .locals 1
    const/16 v0, 0x61
    if-lt p0, v0, :number
    add-int/lit8 v0, p0, -0x57
    return v0
    :number
    add-int/lit8 v0, p0, -0x30
    return v0
.end method

.method public static main([Ljava/lang/String;)V
    .locals 6
    const/4 v0, 0x0
    aget-object v1, p0, v0
    const/4 v2, 0x1
    aget-object v3, p0, v2
    invoke-static {v3}, Lprograms/Loading;->bytes(Ljava/lang/String;)[B
    move-result-object v3
    invoke-static {v3}, Ljava/nio/ByteBuffer;->wrap([B)Ljava/nio/ByteBuffer;
    move-result-object v3
    const-class v4, Lprograms/Loading;
    invoke-virtual {v4}, Ljava/lang/Class;->getClassLoader()Ljava/lang/ClassLoader;
    move-result-object v4
    new-instance v5, Ldalvik/system/InMemoryDexClassLoader;
    invoke-direct {v5, v3, v4}, Ldalvik/system/InMemoryDexClassLoader;-><init>(Ljava/nio/ByteBuffer;Ljava/lang/ClassLoader;)V
    invoke-virtual {v5, v1}, Ljava/lang/ClassLoader;->loadClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v1
    const-string v3, "loaded"
    invoke-static {v3, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    new-array v3, v2, [Ljava/lang/Class;
    const-class v4, [Ljava/lang/String;
    aput-object v4, v3, v0
    const-string v4, "main"
    invoke-virtual {v1, v4, v3}, Ljava/lang/Class;->getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    move-result-object v1
    new-array v2, v2, [Ljava/lang/Object;
    aput-object p0, v2, v0
    const/4 v0, 0x0
    invoke-virtual {v1, v0, v2}, Ljava/lang/reflect/Method;->invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;
    return-void
.end method


# Calls a native library. Argument: its path.
.class public Lprograms/Natives;
.super Ljava/lang/Object;

.method static native twice(I)I
.end method

.method static native greeting(Ljava/lang/String;)Ljava/lang/String;
.end method

.method static native fails()V
.end method

.method static back(I)I
    .locals 1
    add-int/lit8 v0, p0, 0x1
    return v0
.end method

.method public static main([Ljava/lang/String;)V
    .locals 3
    const/4 v0, 0x0
    aget-object v0, p0, v0
    invoke-static {v0}, Ljava/lang/System;->load(Ljava/lang/String;)V
    const-string v2, "value"
    const/16 v0, 0x15
    invoke-static {v0}, Lprograms/Natives;->twice(I)I
    move-result v0
    invoke-static {v2, v0}, Lprograms/Out;->number(Ljava/lang/String;I)V
    invoke-static {v2}, Lprograms/Natives;->greeting(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {v2, v0}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    :try
    invoke-static {}, Lprograms/Natives;->fails()V
    :try_end
    .catch Ljava/lang/IllegalStateException; {:try .. :try_end} :thrown
    return-void
    :thrown
    move-exception v0
    invoke-static {v2, v0}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    return-void
.end method
