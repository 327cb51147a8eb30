# Objects, classes and class loaders.

.class public Ljava/lang/Object;

.method public constructor <init>()V
    .locals 0
    return-void
.end method

.method public final getClass()Ljava/lang/Class;
    .locals 1
    iget-object v0, p0, Ljava/lang/Object;->shadow$_klass_:Ljava/lang/Class;
    return-object v0
.end method

.method public equals(Ljava/lang/Object;)Z
    .locals 1
    const/4 v0, 0x0
    if-ne p0, p1, :other
    const/4 v0, 0x1
    :other
    return v0
.end method

.method public hashCode()I
    .locals 1
    invoke-static {p0}, Ljava/lang/Object;->identityHashCodeNative(Ljava/lang/Object;)I
    move-result v0
    return v0
.end method

.method public toString()Ljava/lang/String;
    .locals 2
    invoke-virtual {p0}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v0
    const-string v1, "@"
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0}, Ljava/lang/Object;->hashCode()I
    move-result v1
    invoke-static {v1}, Ljava/lang/Integer;->toHexString(I)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method protected finalize()V
    .locals 0
    return-void
.end method

.method protected clone()Ljava/lang/Object;
    .locals 2
    instance-of v0, p0, Ljava/lang/Cloneable;
    if-nez v0, :may
    new-instance v0, Ljava/lang/CloneNotSupportedException;
    invoke-virtual {p0}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v1
    invoke-virtual {v1}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v1
    invoke-direct {v0, v1}, Ljava/lang/CloneNotSupportedException;-><init>(Ljava/lang/String;)V
    throw v0
    :may
    invoke-direct {p0}, Ljava/lang/Object;->internalClone()Ljava/lang/Object;
    move-result-object v0
    return-object v0
.end method

.method public final wait()V
    .locals 3
    const-wide/16 v0, 0x0
    const/4 v2, 0x0
    invoke-virtual {p0, v0, v1, v2}, Ljava/lang/Object;->wait(JI)V
    return-void
.end method

.method public final wait(J)V
    .locals 1
    const/4 v0, 0x0
    invoke-virtual {p0, p1, p2, v0}, Ljava/lang/Object;->wait(JI)V
    return-void
.end method


.class public final Ljava/lang/Class;
.implements Ljava/io/Serializable;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public getName()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/lang/Class;->name:Ljava/lang/String;
    if-nez v0, :known
    invoke-virtual {p0}, Ljava/lang/Class;->getNameNative()Ljava/lang/String;
    move-result-object v0
    iput-object v0, p0, Ljava/lang/Class;->name:Ljava/lang/String;
    :known
    return-object v0
.end method

# The part after the last dot or dollar sign; arrays have brackets.
.method public getSimpleName()Ljava/lang/String;
    .locals 3
    iget-object v0, p0, Ljava/lang/Class;->componentType:Ljava/lang/Class;
    if-eqz v0, :plain
    invoke-virtual {v0}, Ljava/lang/Class;->getSimpleName()Ljava/lang/String;
    move-result-object v0
    const-string v1, "[]"
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :plain
    invoke-virtual {p0}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v0
    const/16 v1, 0x2e
    invoke-virtual {v0, v1}, Ljava/lang/String;->lastIndexOf(I)I
    move-result v1
    add-int/lit8 v1, v1, 0x1
    invoke-virtual {v0, v1}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v0
    const/16 v1, 0x24
    invoke-virtual {v0, v1}, Ljava/lang/String;->lastIndexOf(I)I
    move-result v1
    add-int/lit8 v1, v1, 0x1
    invoke-virtual {v0, v1}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public toString()Ljava/lang/String;
    .locals 2
    iget v0, p0, Ljava/lang/Class;->primitiveType:I
    const v1, 0xffff
    and-int/2addr v0, v1
    if-nez v0, :primitive
    invoke-virtual {p0}, Ljava/lang/Class;->isInterface()Z
    move-result v0
    const-string v1, "class "
    if-eqz v0, :prefix
    const-string v1, "interface "
    :prefix
    invoke-virtual {p0}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v0
    invoke-virtual {v1, v0}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
    :primitive
    invoke-virtual {p0}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public getClassLoader()Ljava/lang/ClassLoader;
    .locals 1
    iget-object v0, p0, Ljava/lang/Class;->classLoader:Ljava/lang/ClassLoader;
    return-object v0
.end method

.method public getSuperclass()Ljava/lang/Class;
    .locals 1
    invoke-virtual {p0}, Ljava/lang/Class;->isInterface()Z
    move-result v0
    if-eqz v0, :class
    const/4 v0, 0x0
    return-object v0
    :class
    iget-object v0, p0, Ljava/lang/Class;->superClass:Ljava/lang/Class;
    return-object v0
.end method

.method public getInterfaces()[Ljava/lang/Class;
    .locals 1
    invoke-virtual {p0}, Ljava/lang/Class;->getInterfacesInternal()[Ljava/lang/Class;
    move-result-object v0
    if-nez v0, :some
    const/4 v0, 0x0
    new-array v0, v0, [Ljava/lang/Class;
    :some
    return-object v0
.end method

.method public getComponentType()Ljava/lang/Class;
    .locals 1
    iget-object v0, p0, Ljava/lang/Class;->componentType:Ljava/lang/Class;
    return-object v0
.end method

.method public getModifiers()I
    .locals 2
    iget v0, p0, Ljava/lang/Class;->accessFlags:I
    const v1, 0xffff
    and-int/2addr v0, v1
    invoke-virtual {p0, v0}, Ljava/lang/Class;->getInnerClassFlags(I)I
    move-result v0
    return v0
.end method

.method public isInterface()Z
    .locals 1
    iget v0, p0, Ljava/lang/Class;->accessFlags:I
    shr-int/lit8 v0, v0, 0x9
    and-int/lit8 v0, v0, 0x1
    return v0
.end method

.method public isEnum()Z
    .locals 1
    iget v0, p0, Ljava/lang/Class;->accessFlags:I
    shr-int/lit8 v0, v0, 0xe
    and-int/lit8 v0, v0, 0x1
    return v0
.end method

.method public isArray()Z
    .locals 1
    iget-object v0, p0, Ljava/lang/Class;->componentType:Ljava/lang/Class;
    if-eqz v0, :no
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

.method public isPrimitive()Z
    .locals 2
    iget v0, p0, Ljava/lang/Class;->primitiveType:I
    const v1, 0xffff
    and-int/2addr v0, v1
    if-eqz v0, :no
    const/4 v0, 0x1
    :no
    return v0
.end method

.method public isInstance(Ljava/lang/Object;)Z
    .locals 1
    if-nez p1, :some
    const/4 v0, 0x0
    return v0
    :some
    invoke-virtual {p1}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/lang/Class;->isAssignableFrom(Ljava/lang/Class;)Z
    move-result v0
    return v0
.end method

.method public isAssignableFrom(Ljava/lang/Class;)Z
    .locals 4
    if-eq p0, p1, :yes
    invoke-virtual {p0}, Ljava/lang/Class;->isPrimitive()Z
    move-result v0
    if-nez v0, :no
    invoke-virtual {p1}, Ljava/lang/Class;->isPrimitive()Z
    move-result v0
    if-nez v0, :no
    invoke-virtual {p0}, Ljava/lang/Class;->isInterface()Z
    move-result v0
    if-eqz v0, :not_interface
    # The table holds an interface and its methods in turn.
    iget-object v0, p1, Ljava/lang/Class;->ifTable:[Ljava/lang/Object;
    if-eqz v0, :no
    array-length v1, v0
    const/4 v2, 0x0
    :next
    if-ge v2, v1, :no
    aget-object v3, v0, v2
    if-eq v3, p0, :yes
    add-int/lit8 v2, v2, 0x2
    goto :next
    :not_interface
    iget-object v0, p0, Ljava/lang/Class;->componentType:Ljava/lang/Class;
    if-eqz v0, :up
    iget-object v1, p1, Ljava/lang/Class;->componentType:Ljava/lang/Class;
    if-eqz v1, :no
    invoke-virtual {v0, v1}, Ljava/lang/Class;->isAssignableFrom(Ljava/lang/Class;)Z
    move-result v0
    return v0
    :up
    iget-object p1, p1, Ljava/lang/Class;->superClass:Ljava/lang/Class;
    if-eqz p1, :no
    if-ne p0, p1, :up
    :yes
    const/4 v0, 0x1
    return v0
    :no
    const/4 v0, 0x0
    return v0
.end method

.method public cast(Ljava/lang/Object;)Ljava/lang/Object;
    .locals 2
    if-eqz p1, :fits
    invoke-virtual {p0, p1}, Ljava/lang/Class;->isInstance(Ljava/lang/Object;)Z
    move-result v0
    if-nez v0, :fits
    new-instance v0, Ljava/lang/ClassCastException;
    invoke-virtual {p0}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v1
    invoke-direct {v0, v1}, Ljava/lang/ClassCastException;-><init>(Ljava/lang/String;)V
    throw v0
    :fits
    return-object p1
.end method

.method public desiredAssertionStatus()Z
    .locals 1
    const/4 v0, 0x0
    return v0
.end method

.method public static forName(Ljava/lang/String;)Ljava/lang/Class;
    .locals 2
    invoke-static {}, Ldalvik/system/VMStack;->getCallingClassLoader()Ljava/lang/ClassLoader;
    move-result-object v0
    const/4 v1, 0x1
    invoke-static {p0, v1, v0}, Ljava/lang/Class;->forName(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;
    move-result-object v0
    return-object v0
.end method

# ART reports a class that it does not find as the cause of an exception without a name.
.method public static forName(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;
    .locals 2
    :try
    invoke-static {p0, p1, p2}, Ljava/lang/Class;->classForName(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;
    move-result-object v0
    return-object v0
    :try_end
    .catch Ljava/lang/ClassNotFoundException; {:try .. :try_end} :missing
    :missing
    move-exception v0
    invoke-virtual {v0}, Ljava/lang/Throwable;->getCause()Ljava/lang/Throwable;
    move-result-object v1
    instance-of p0, v1, Ljava/lang/LinkageError;
    if-eqz p0, :rethrow
    throw v1
    :rethrow
    throw v0
.end method

.method public getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    .locals 2
    if-nez p2, :given
    const/4 v0, 0x0
    new-array p2, v0, [Ljava/lang/Class;
    :given
    invoke-direct {p0, p1, p2}, Ljava/lang/Class;->findMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    move-result-object v0
    if-eqz v0, :none
    return-object v0
    :none
    new-instance v0, Ljava/lang/NoSuchMethodException;
    invoke-direct {v0, p1}, Ljava/lang/NoSuchMethodException;-><init>(Ljava/lang/String;)V
    throw v0
.end method

.method private findMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    .locals 5
    invoke-virtual {p0, p1, p2}, Ljava/lang/Class;->getDeclaredMethodInternal(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    move-result-object v0
    if-eqz v0, :above
    invoke-virtual {v0}, Ljava/lang/reflect/Method;->getModifiers()I
    move-result v1
    and-int/lit8 v1, v1, 0x1
    if-eqz v1, :above
    return-object v0
    :above
    iget-object v1, p0, Ljava/lang/Class;->superClass:Ljava/lang/Class;
    if-eqz v1, :interfaces
    invoke-direct {v1, p1, p2}, Ljava/lang/Class;->findMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    move-result-object v0
    if-eqz v0, :interfaces
    return-object v0
    :interfaces
    invoke-virtual {p0}, Ljava/lang/Class;->getInterfaces()[Ljava/lang/Class;
    move-result-object v1
    array-length v2, v1
    const/4 v3, 0x0
    :next
    if-ge v3, v2, :none
    aget-object v4, v1, v3
    invoke-direct {v4, p1, p2}, Ljava/lang/Class;->findMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    move-result-object v0
    if-eqz v0, :more
    return-object v0
    :more
    add-int/lit8 v3, v3, 0x1
    goto :next
    :none
    const/4 v0, 0x0
    return-object v0
.end method

.method public getDeclaredMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    .locals 1
    if-nez p2, :given
    const/4 v0, 0x0
    new-array p2, v0, [Ljava/lang/Class;
    :given
    invoke-virtual {p0, p1, p2}, Ljava/lang/Class;->getDeclaredMethodInternal(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    move-result-object v0
    if-eqz v0, :none
    return-object v0
    :none
    new-instance v0, Ljava/lang/NoSuchMethodException;
    invoke-direct {v0, p1}, Ljava/lang/NoSuchMethodException;-><init>(Ljava/lang/String;)V
    throw v0
.end method

.method public getDeclaredMethods()[Ljava/lang/reflect/Method;
    .locals 1
    const/4 v0, 0x0
    invoke-virtual {p0, v0}, Ljava/lang/Class;->getDeclaredMethodsUnchecked(Z)[Ljava/lang/reflect/Method;
    move-result-object v0
    return-object v0
.end method

.method public getDeclaredConstructor([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;
    .locals 2
    if-nez p1, :given
    const/4 v0, 0x0
    new-array p1, v0, [Ljava/lang/Class;
    :given
    invoke-virtual {p0, p1}, Ljava/lang/Class;->getDeclaredConstructorInternal([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;
    move-result-object v0
    if-eqz v0, :none
    return-object v0
    :none
    new-instance v0, Ljava/lang/NoSuchMethodException;
    const-string v1, "<init>"
    invoke-direct {v0, v1}, Ljava/lang/NoSuchMethodException;-><init>(Ljava/lang/String;)V
    throw v0
.end method

.method public getConstructor([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;
    .locals 3
    invoke-virtual {p0, p1}, Ljava/lang/Class;->getDeclaredConstructor([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/reflect/Constructor;->getModifiers()I
    move-result v1
    and-int/lit8 v1, v1, 0x1
    if-nez v1, :public
    new-instance v1, Ljava/lang/NoSuchMethodException;
    const-string v2, "<init>"
    invoke-direct {v1, v2}, Ljava/lang/NoSuchMethodException;-><init>(Ljava/lang/String;)V
    throw v1
    :public
    return-object v0
.end method

.method public getField(Ljava/lang/String;)Ljava/lang/reflect/Field;
    .locals 1
    invoke-virtual {p0, p1}, Ljava/lang/Class;->getPublicFieldRecursive(Ljava/lang/String;)Ljava/lang/reflect/Field;
    move-result-object v0
    if-nez v0, :found
    new-instance v0, Ljava/lang/NoSuchFieldException;
    invoke-direct {v0, p1}, Ljava/lang/NoSuchFieldException;-><init>(Ljava/lang/String;)V
    throw v0
    :found
    return-object v0
.end method

.method public getEnumConstants()[Ljava/lang/Object;
    .locals 3
    invoke-virtual {p0}, Ljava/lang/Class;->isEnum()Z
    move-result v0
    const/4 v1, 0x0
    if-nez v0, :enum
    return-object v1
    :enum
    const-string v0, "values"
    invoke-virtual {p0, v0, v1}, Ljava/lang/Class;->getDeclaredMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    move-result-object v0
    invoke-virtual {v0, v1, v1}, Ljava/lang/reflect/Method;->invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, [Ljava/lang/Object;
    return-object v0
.end method


.class public abstract Ljava/lang/ClassLoader;
.field private static system:Ljava/lang/ClassLoader;

.method public constructor <init>()V
    .locals 1
    invoke-static {}, Ljava/lang/ClassLoader;->getSystemClassLoader()Ljava/lang/ClassLoader;
    move-result-object v0
    invoke-direct {p0, v0}, Ljava/lang/ClassLoader;-><init>(Ljava/lang/ClassLoader;)V
    return-void
.end method

.method public constructor <init>(Ljava/lang/ClassLoader;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/lang/ClassLoader;->parent:Ljava/lang/ClassLoader;
    return-void
.end method

.method public static getSystemClassLoader()Ljava/lang/ClassLoader;
    .locals 3
    sget-object v0, Ljava/lang/ClassLoader;->system:Ljava/lang/ClassLoader;
    if-nez v0, :made
    new-instance v0, Ldalvik/system/PathClassLoader;
    const-string v1, ""
    sget-object v2, Ljava/lang/BootClassLoader;->instance:Ljava/lang/ClassLoader;
    invoke-direct {v0, v1, v2}, Ldalvik/system/PathClassLoader;-><init>(Ljava/lang/String;Ljava/lang/ClassLoader;)V
    sput-object v0, Ljava/lang/ClassLoader;->system:Ljava/lang/ClassLoader;
    :made
    return-object v0
.end method

.method public final getParent()Ljava/lang/ClassLoader;
    .locals 1
    iget-object v0, p0, Ljava/lang/ClassLoader;->parent:Ljava/lang/ClassLoader;
    return-object v0
.end method

.method public loadClass(Ljava/lang/String;)Ljava/lang/Class;
    .locals 1
    const/4 v0, 0x0
    invoke-virtual {p0, p1, v0}, Ljava/lang/ClassLoader;->loadClass(Ljava/lang/String;Z)Ljava/lang/Class;
    move-result-object v0
    return-object v0
.end method

.method protected loadClass(Ljava/lang/String;Z)Ljava/lang/Class;
    .locals 2
    invoke-static {p0, p1}, Ljava/lang/VMClassLoader;->findLoadedClass(Ljava/lang/ClassLoader;Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    if-eqz v0, :load
    return-object v0
    :load
    iget-object v0, p0, Ljava/lang/ClassLoader;->parent:Ljava/lang/ClassLoader;
    if-eqz v0, :own
    :try
    invoke-virtual {v0, p1}, Ljava/lang/ClassLoader;->loadClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v1
    return-object v1
    :try_end
    .catch Ljava/lang/ClassNotFoundException; {:try .. :try_end} :own
    :own
    invoke-virtual {p0, p1}, Ljava/lang/ClassLoader;->findClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v1
    return-object v1
.end method

.method protected findClass(Ljava/lang/String;)Ljava/lang/Class;
    .locals 1
    new-instance v0, Ljava/lang/ClassNotFoundException;
    invoke-direct {v0, p1}, Ljava/lang/ClassNotFoundException;-><init>(Ljava/lang/String;)V
    throw v0
.end method

# Libraries are named by their paths.
.method public findLibrary(Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    const/4 v0, 0x0
    return-object v0
.end method


.class public Ljava/lang/BootClassLoader;
.super Ljava/lang/ClassLoader;
.field public static instance:Ljava/lang/ClassLoader;

.method static constructor <clinit>()V
    .locals 2
    new-instance v0, Ljava/lang/BootClassLoader;
    const/4 v1, 0x0
    invoke-direct {v0, v1}, Ljava/lang/BootClassLoader;-><init>(Ljava/lang/ClassLoader;)V
    sput-object v0, Ljava/lang/BootClassLoader;->instance:Ljava/lang/ClassLoader;
    return-void
.end method

.method private constructor <init>(Ljava/lang/ClassLoader;)V
    .locals 0
    invoke-direct {p0, p1}, Ljava/lang/ClassLoader;-><init>(Ljava/lang/ClassLoader;)V
    return-void
.end method

.method protected loadClass(Ljava/lang/String;Z)Ljava/lang/Class;
    .locals 2
    const/4 v0, 0x0
    const/4 v1, 0x0
    invoke-static {p1, v0, v1}, Ljava/lang/Class;->classForName(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;
    move-result-object v0
    return-object v0
.end method


.class public Ldalvik/system/DexFile;

# All files belong to one loader, in this order; damaged files are refused with an IOException.
.method public static load([[BLjava/lang/ClassLoader;)Ldalvik/system/DexFile;
    .locals 10
    array-length v8, p0
    new-array v0, v8, [Ljava/nio/ByteBuffer;
    move-object v1, p0
    new-array v2, v8, [I
    new-array v3, v8, [I
    const/4 v6, 0x0
    :next
    if-ge v6, v8, :filled
    aget-object v7, p0, v6
    array-length v7, v7
    aput v7, v3, v6
    add-int/lit8 v6, v6, 0x1
    goto :next
    :filled
    move-object v4, p1
    const/4 v5, 0x0
    invoke-static/range {v0 .. v5}, Ldalvik/system/DexFile;->openInMemoryDexFilesNative([Ljava/nio/ByteBuffer;[[B[I[ILjava/lang/ClassLoader;[Ldalvik/system/DexPathList$Element;)Ljava/lang/Object;
    move-result-object v0
    new-instance v1, Ldalvik/system/DexFile;
    invoke-direct {v1, v0}, Ldalvik/system/DexFile;-><init>(Ljava/lang/Object;)V
    return-object v1
.end method

.method private constructor <init>(Ljava/lang/Object;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ldalvik/system/DexFile;->mCookie:Ljava/lang/Object;
    return-void
.end method

.method public classNames()[Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ldalvik/system/DexFile;->mCookie:Ljava/lang/Object;
    invoke-static {v0}, Ldalvik/system/DexFile;->getClassNameList(Ljava/lang/Object;)[Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method


.class public Ldalvik/system/DexPathList;

.method public constructor <init>(Ldalvik/system/DexFile;)V
    .locals 3
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    const/4 v0, 0x1
    new-array v0, v0, [Ldalvik/system/DexPathList$Element;
    new-instance v1, Ldalvik/system/DexPathList$Element;
    invoke-direct {v1, p1}, Ldalvik/system/DexPathList$Element;-><init>(Ldalvik/system/DexFile;)V
    const/4 v2, 0x0
    aput-object v1, v0, v2
    iput-object v0, p0, Ldalvik/system/DexPathList;->dexElements:[Ldalvik/system/DexPathList$Element;
    return-void
.end method


.class public Ldalvik/system/DexPathList$Element;

.method public constructor <init>(Ldalvik/system/DexFile;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ldalvik/system/DexPathList$Element;->dexFile:Ldalvik/system/DexFile;
    return-void
.end method


.class public Ldalvik/system/BaseDexClassLoader;
.super Ljava/lang/ClassLoader;

.method public constructor <init>(Ljava/lang/ClassLoader;)V
    .locals 0
    invoke-direct {p0, p1}, Ljava/lang/ClassLoader;-><init>(Ljava/lang/ClassLoader;)V
    return-void
.end method

# All native libraries of an application lie in the folder of the property `nativeLibraries`.
.method public findLibrary(Ljava/lang/String;)Ljava/lang/String;
    .locals 2
    const-string v0, "nativeLibraries"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-eqz v0, :none
    const-string v1, "/lib"
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {v0, p1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    const-string v1, ".so"
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    :none
    return-object v0
.end method

# Asked for in the message about a library that is not loaded.
.method public getLdLibraryPath()Ljava/lang/String;
    .locals 1
    const-string v0, ""
    return-object v0
.end method

# ART itself looks a class up through pathList, elements, dex file and cookie.
.method public use(Ldalvik/system/DexFile;)V
    .locals 1
    new-instance v0, Ldalvik/system/DexPathList;
    invoke-direct {v0, p1}, Ldalvik/system/DexPathList;-><init>(Ldalvik/system/DexFile;)V
    iput-object v0, p0, Ldalvik/system/BaseDexClassLoader;->pathList:Ldalvik/system/DexPathList;
    return-void
.end method

.method protected findClass(Ljava/lang/String;)Ljava/lang/Class;
    .locals 5
    iget-object v0, p0, Ldalvik/system/BaseDexClassLoader;->pathList:Ldalvik/system/DexPathList;
    if-eqz v0, :none
    iget-object v0, v0, Ldalvik/system/DexPathList;->dexElements:[Ldalvik/system/DexPathList$Element;
    array-length v1, v0
    const/4 v2, 0x0
    :next
    if-ge v2, v1, :none
    aget-object v3, v0, v2
    iget-object v3, v3, Ldalvik/system/DexPathList$Element;->dexFile:Ldalvik/system/DexFile;
    iget-object v4, v3, Ldalvik/system/DexFile;->mCookie:Ljava/lang/Object;
    invoke-static {p1, p0, v4, v3}, Ldalvik/system/DexFile;->defineClassNative(Ljava/lang/String;Ljava/lang/ClassLoader;Ljava/lang/Object;Ldalvik/system/DexFile;)Ljava/lang/Class;
    move-result-object v3
    if-eqz v3, :more
    return-object v3
    :more
    add-int/lit8 v2, v2, 0x1
    goto :next
    :none
    new-instance v0, Ljava/lang/ClassNotFoundException;
    invoke-direct {v0, p1}, Ljava/lang/ClassNotFoundException;-><init>(Ljava/lang/String;)V
    throw v0
.end method


.class public Ldalvik/system/PathClassLoader;
.super Ldalvik/system/BaseDexClassLoader;

# The path is that of an archive, whose dex files are read, or empty.
.method public constructor <init>(Ljava/lang/String;Ljava/lang/ClassLoader;)V
    .locals 6
    invoke-direct {p0, p2}, Ldalvik/system/BaseDexClassLoader;-><init>(Ljava/lang/ClassLoader;)V
    invoke-virtual {p1}, Ljava/lang/String;->isEmpty()Z
    move-result v0
    if-nez v0, :end
    new-instance v0, Ljava/util/zip/ZipFile;
    invoke-direct {v0, p1}, Ljava/util/zip/ZipFile;-><init>(Ljava/lang/String;)V
    new-instance v1, Ljava/util/ArrayList;
    invoke-direct {v1}, Ljava/util/ArrayList;-><init>()V
    const-string v2, "classes.dex"
    const/4 v3, 0x1
    :next
    invoke-virtual {v0, v2}, Ljava/util/zip/ZipFile;->getEntry(Ljava/lang/String;)Ljava/util/zip/ZipEntry;
    move-result-object v2
    if-eqz v2, :read
    invoke-virtual {v0, v2}, Ljava/util/zip/ZipFile;->getInputStream(Ljava/util/zip/ZipEntry;)Ljava/io/InputStream;
    move-result-object v2
    invoke-static {v2}, Lhostruntime/Files;->all(Ljava/io/InputStream;)[B
    move-result-object v2
    invoke-virtual {v1, v2}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    add-int/lit8 v3, v3, 0x1
    const-string v2, "classes"
    invoke-static {v3}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v4
    invoke-virtual {v2, v4}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    const-string v4, ".dex"
    invoke-virtual {v2, v4}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    goto :next
    :read
    invoke-virtual {v1}, Ljava/util/ArrayList;->size()I
    move-result v2
    new-array v3, v2, [[B
    const/4 v4, 0x0
    :fill
    if-ge v4, v2, :filled
    invoke-virtual {v1, v4}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v5
    check-cast v5, [B
    aput-object v5, v3, v4
    add-int/lit8 v4, v4, 0x1
    goto :fill
    :filled
    invoke-static {v3, p0}, Ldalvik/system/DexFile;->load([[BLjava/lang/ClassLoader;)Ldalvik/system/DexFile;
    move-result-object v0
    invoke-virtual {p0, v0}, Ldalvik/system/BaseDexClassLoader;->use(Ldalvik/system/DexFile;)V
    :end
    return-void
.end method


.class public Ldalvik/system/DexClassLoader;
.super Ldalvik/system/BaseDexClassLoader;

# The path is that of one dex file. ART of Android 5 to 7 writes a file of the same name into the second folder, which has to be another one.
.method public constructor <init>(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/ClassLoader;)V
    .locals 3
    invoke-direct {p0, p4}, Ldalvik/system/BaseDexClassLoader;-><init>(Ljava/lang/ClassLoader;)V
    new-instance v0, Ljava/io/File;
    invoke-direct {v0, p2}, Ljava/io/File;-><init>(Ljava/lang/String;)V
    invoke-virtual {v0}, Ljava/io/File;->list()[Ljava/lang/String;
    move-result-object v1
    if-eqz v1, :unusable
    new-instance v1, Ljava/io/File;
    invoke-direct {v1, p1}, Ljava/io/File;-><init>(Ljava/lang/String;)V
    invoke-virtual {v1}, Ljava/io/File;->getName()Ljava/lang/String;
    move-result-object v1
    new-instance v2, Ljava/io/File;
    invoke-direct {v2, v0, v1}, Ljava/io/File;-><init>(Ljava/io/File;Ljava/lang/String;)V
    invoke-virtual {v2}, Ljava/io/File;->getPath()Ljava/lang/String;
    move-result-object v0
    invoke-virtual {v0, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-eqz v0, :usable
    :unusable
    new-instance v0, Ljava/lang/IllegalArgumentException;
    const-string v1, "no folder for the output of ART"
    invoke-direct {v0, v1}, Ljava/lang/IllegalArgumentException;-><init>(Ljava/lang/String;)V
    throw v0
    :usable
    const/4 v0, 0x1
    new-array v0, v0, [[B
    invoke-static {p1}, Lhostruntime/Files;->read(Ljava/lang/String;)[B
    move-result-object p1
    const/4 v1, 0x0
    aput-object p1, v0, v1
    invoke-static {v0, p0}, Ldalvik/system/DexFile;->load([[BLjava/lang/ClassLoader;)Ldalvik/system/DexFile;
    move-result-object v0
    invoke-virtual {p0, v0}, Ldalvik/system/BaseDexClassLoader;->use(Ldalvik/system/DexFile;)V
    return-void
.end method


.class public Ldalvik/system/DelegateLastClassLoader;
.super Ldalvik/system/PathClassLoader;


.class public Ldalvik/system/InMemoryDexClassLoader;
.super Ldalvik/system/BaseDexClassLoader;

.method public constructor <init>(Ljava/nio/ByteBuffer;Ljava/lang/ClassLoader;)V
    .locals 2
    const/4 v0, 0x1
    new-array v0, v0, [Ljava/nio/ByteBuffer;
    const/4 v1, 0x0
    aput-object p1, v0, v1
    invoke-direct {p0, v0, p2}, Ldalvik/system/InMemoryDexClassLoader;-><init>([Ljava/nio/ByteBuffer;Ljava/lang/ClassLoader;)V
    return-void
.end method

# From Android 10 on, with a path of libraries.
.method public constructor <init>([Ljava/nio/ByteBuffer;Ljava/lang/String;Ljava/lang/ClassLoader;)V
    .locals 0
    invoke-direct {p0, p1, p3}, Ldalvik/system/InMemoryDexClassLoader;-><init>([Ljava/nio/ByteBuffer;Ljava/lang/ClassLoader;)V
    return-void
.end method

.method public constructor <init>([Ljava/nio/ByteBuffer;Ljava/lang/ClassLoader;)V
    .locals 5
    invoke-direct {p0, p2}, Ldalvik/system/BaseDexClassLoader;-><init>(Ljava/lang/ClassLoader;)V
    array-length v0, p1
    new-array v1, v0, [[B
    const/4 v2, 0x0
    :next
    if-ge v2, v0, :filled
    aget-object v3, p1, v2
    iget-object v3, v3, Ljava/nio/ByteBuffer;->hb:[B
    invoke-static {v3}, Lhostruntime/Given;->remember([B)V
    aput-object v3, v1, v2
    add-int/lit8 v2, v2, 0x1
    goto :next
    :filled
    invoke-static {v1, p0}, Ldalvik/system/DexFile;->load([[BLjava/lang/ClassLoader;)Ldalvik/system/DexFile;
    move-result-object v0
    invoke-virtual {p0, v0}, Ldalvik/system/BaseDexClassLoader;->use(Ldalvik/system/DexFile;)V
    return-void
.end method


.class public Ljava/nio/ByteBuffer;
.super Ljava/nio/Buffer;

.method constructor <init>([B)V
    .locals 1
    invoke-direct {p0}, Ljava/nio/Buffer;-><init>()V
    iput-object p1, p0, Ljava/nio/ByteBuffer;->hb:[B
    array-length v0, p1
    iput v0, p0, Ljava/nio/Buffer;->limit:I
    return-void
.end method

.method public static wrap([B)Ljava/nio/ByteBuffer;
    .locals 1
    new-instance v0, Ljava/nio/ByteBuffer;
    invoke-direct {v0, p0}, Ljava/nio/ByteBuffer;-><init>([B)V
    return-object v0
.end method

.method public final array()[B
    .locals 1
    iget-object v0, p0, Ljava/nio/ByteBuffer;->hb:[B
    return-object v0
.end method

.method public final remaining()I
    .locals 2
    iget v0, p0, Ljava/nio/Buffer;->limit:I
    iget v1, p0, Ljava/nio/Buffer;->position:I
    sub-int/2addr v0, v1
    return v0
.end method


.class public Ljava/nio/Buffer;

.method constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method


.class public Ljava/nio/DirectByteBuffer;
.super Ljava/nio/ByteBuffer;
