# Type tests and casts, reflection, proxies, enumerations, arrays of arrays.
.class public Lprograms/Types;
.super Ljava/lang/Object;
.field public number:I
.field public static wide:J

.method public constructor <init>()V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    const/16 v0, 0x2a
    iput v0, p0, Lprograms/Types;->number:I
    return-void
.end method

.method public constructor <init>(I)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput p1, p0, Lprograms/Types;->number:I
    return-void
.end method

.method public twice(I)I
    .locals 2
    iget v0, p0, Lprograms/Types;->number:I
    shl-int/lit8 v1, p1, 0x1
    add-int/2addr v0, v1
    return v0
.end method

.method public static fails()V
    .locals 2
    new-instance v0, Ljava/lang/IllegalStateException;
    const-string v1, "on purpose"
    invoke-direct {v0, v1}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
    throw v0
.end method

# A bit for each type that the value has.
.method static typesOf(Ljava/lang/Object;)I
    .locals 2
    instance-of v0, p0, Ljava/lang/Object;
    instance-of v1, p0, Ljava/lang/String;
    shl-int/lit8 v1, v1, 0x1
    or-int/2addr v0, v1
    instance-of v1, p0, Ljava/lang/CharSequence;
    shl-int/lit8 v1, v1, 0x2
    or-int/2addr v0, v1
    instance-of v1, p0, [I
    shl-int/lit8 v1, v1, 0x3
    or-int/2addr v0, v1
    instance-of v1, p0, [Ljava/lang/Object;
    shl-int/lit8 v1, v1, 0x4
    or-int/2addr v0, v1
    instance-of v1, p0, [[I
    shl-int/lit8 v1, v1, 0x5
    or-int/2addr v0, v1
    return v0
.end method

.method public static main([Ljava/lang/String;)V
    .locals 8
    const-string v7, "value"
    const/4 v6, 0x0
    const/4 v5, 0x1
    invoke-static {p0}, Lprograms/Types;->typesOf(Ljava/lang/Object;)I
    move-result v0
    invoke-static {v7, v0}, Lprograms/Out;->number(Ljava/lang/String;I)V
    invoke-static {v7}, Lprograms/Types;->typesOf(Ljava/lang/Object;)I
    move-result v0
    invoke-static {v7, v0}, Lprograms/Out;->number(Ljava/lang/String;I)V
    const/4 v0, 0x2
    filled-new-array {v0, v5}, [I
    move-result-object v1
    invoke-static {v1}, Lprograms/Types;->typesOf(Ljava/lang/Object;)I
    move-result v2
    invoke-static {v7, v2}, Lprograms/Out;->number(Ljava/lang/String;I)V
    # int[2][1]
    sget-object v2, Ljava/lang/Integer;->TYPE:Ljava/lang/Class;
    invoke-static {v2, v1}, Ljava/lang/reflect/Array;->newInstance(Ljava/lang/Class;[I)Ljava/lang/Object;
    move-result-object v1
    invoke-static {v1}, Lprograms/Types;->typesOf(Ljava/lang/Object;)I
    move-result v2
    invoke-static {v7, v2}, Lprograms/Out;->number(Ljava/lang/String;I)V
    check-cast v1, [[I
    aget-object v2, v1, v5
    aput v0, v2, v6
    invoke-virtual {v1}, [[I->clone()Ljava/lang/Object;
    move-result-object v1
    check-cast v1, [[I
    aget-object v2, v1, v5
    aget v2, v2, v6
    invoke-static {v7, v2}, Lprograms/Out;->number(Ljava/lang/String;I)V
    invoke-virtual {v1}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v1
    invoke-static {v7, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    invoke-virtual {v1}, Ljava/lang/Class;->getSimpleName()Ljava/lang/String;
    move-result-object v1
    invoke-static {v7, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    # Reflection by names.
    const-string v0, "programs.Types"
    invoke-static {v0}, Ljava/lang/Class;->forName(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    new-array v1, v5, [Ljava/lang/Class;
    sget-object v2, Ljava/lang/Integer;->TYPE:Ljava/lang/Class;
    aput-object v2, v1, v6
    invoke-virtual {v0, v1}, Ljava/lang/Class;->getConstructor([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;
    move-result-object v2
    new-array v3, v5, [Ljava/lang/Object;
    const/16 v4, 0x64
    invoke-static {v4}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v4
    aput-object v4, v3, v6
    invoke-virtual {v2, v3}, Ljava/lang/reflect/Constructor;->newInstance([Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v2
    const-string v4, "twice"
    invoke-virtual {v0, v4, v1}, Ljava/lang/Class;->getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    move-result-object v1
    invoke-virtual {v1, v2, v3}, Ljava/lang/reflect/Method;->invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v1
    invoke-static {v7, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-string v1, "number"
    invoke-virtual {v0, v1}, Ljava/lang/Class;->getField(Ljava/lang/String;)Ljava/lang/reflect/Field;
    move-result-object v1
    const/4 v3, -0x1
    invoke-virtual {v1, v2, v3}, Ljava/lang/reflect/Field;->setInt(Ljava/lang/Object;I)V
    invoke-virtual {v1, v2}, Ljava/lang/reflect/Field;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v1
    invoke-static {v7, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-string v1, "fails"
    const/4 v3, 0x0
    invoke-virtual {v0, v1, v3}, Ljava/lang/Class;->getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    move-result-object v1
    :try
    invoke-virtual {v1, v3, v3}, Ljava/lang/reflect/Method;->invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;
    :try_end
    .catch Ljava/lang/reflect/InvocationTargetException; {:try .. :try_end} :target
    :after_target
    const-string v1, "none"
    :try2
    invoke-virtual {v0, v1, v3}, Ljava/lang/Class;->getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    :try2_end
    .catch Ljava/lang/NoSuchMethodException; {:try2 .. :try2_end} :no_method
    :after_no_method
    const-string v1, "programs.None"
    :try3
    invoke-static {v1}, Ljava/lang/Class;->forName(Ljava/lang/String;)Ljava/lang/Class;
    :try3_end
    .catch Ljava/lang/ClassNotFoundException; {:try3 .. :try3_end} :no_class
    :after_no_class
    # A proxy.
    invoke-virtual {v0}, Ljava/lang/Class;->getClassLoader()Ljava/lang/ClassLoader;
    move-result-object v1
    new-array v2, v5, [Ljava/lang/Class;
    const-class v3, Lprograms/Types$Adder;
    aput-object v3, v2, v6
    new-instance v3, Lprograms/Types$Handler;
    invoke-direct {v3}, Lprograms/Types$Handler;-><init>()V
    invoke-static {v1, v2, v3}, Ljava/lang/reflect/Proxy;->newProxyInstance(Ljava/lang/ClassLoader;[Ljava/lang/Class;Ljava/lang/reflect/InvocationHandler;)Ljava/lang/Object;
    move-result-object v1
    check-cast v1, Lprograms/Types$Adder;
    const/16 v2, 0x14
    const/16 v3, 0x16
    invoke-interface {v1, v2, v3}, Lprograms/Types$Adder;->add(II)I
    move-result v1
    invoke-static {v7, v1}, Lprograms/Out;->number(Ljava/lang/String;I)V
    # An enumeration.
    const-class v1, Lprograms/Types$Colour;
    const-string v2, "BLUE"
    invoke-static {v1, v2}, Ljava/lang/Enum;->valueOf(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;
    move-result-object v1
    check-cast v1, Lprograms/Types$Colour;
    invoke-static {v7, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    invoke-virtual {v1}, Ljava/lang/Enum;->ordinal()I
    move-result v1
    invoke-static {v7, v1}, Lprograms/Out;->number(Ljava/lang/String;I)V
    return-void
    :target
    move-exception v1
    invoke-virtual {v1}, Ljava/lang/reflect/InvocationTargetException;->getTargetException()Ljava/lang/Throwable;
    move-result-object v1
    invoke-static {v7, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    goto :after_target
    :no_method
    move-exception v1
    invoke-static {v7, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    goto :after_no_method
    :no_class
    move-exception v1
    invoke-virtual {v1}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v1
    invoke-static {v7, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    goto/16 :after_no_class
.end method


.class public interface abstract Lprograms/Types$Adder;
.super Ljava/lang/Object;
.method public abstract add(II)I
.end method


.class public Lprograms/Types$Handler;
.super Ljava/lang/Object;
.implements Ljava/lang/reflect/InvocationHandler;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public invoke(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
    .locals 4
    const-string v0, "called"
    invoke-virtual {p2}, Ljava/lang/reflect/Method;->getName()Ljava/lang/String;
    move-result-object v1
    invoke-static {v0, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const/4 v0, 0x0
    const/4 v2, 0x0
    array-length v1, p3
    :next
    if-ge v0, v1, :done
    aget-object v3, p3, v0
    check-cast v3, Ljava/lang/Integer;
    invoke-virtual {v3}, Ljava/lang/Integer;->intValue()I
    move-result v3
    add-int/2addr v2, v3
    add-int/lit8 v0, v0, 0x1
    goto :next
    :done
    invoke-static {v2}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v0
    return-object v0
.end method


.class public final enum Lprograms/Types$Colour;
.super Ljava/lang/Enum;
.field public static final enum RED:Lprograms/Types$Colour;
.field public static final enum BLUE:Lprograms/Types$Colour;
.field private static final all:[Lprograms/Types$Colour;

.method static constructor <clinit>()V
    .locals 4
    new-instance v0, Lprograms/Types$Colour;
    const-string v1, "RED"
    const/4 v2, 0x0
    invoke-direct {v0, v1, v2}, Lprograms/Types$Colour;-><init>(Ljava/lang/String;I)V
    sput-object v0, Lprograms/Types$Colour;->RED:Lprograms/Types$Colour;
    new-instance v1, Lprograms/Types$Colour;
    const-string v2, "BLUE"
    const/4 v3, 0x1
    invoke-direct {v1, v2, v3}, Lprograms/Types$Colour;-><init>(Ljava/lang/String;I)V
    sput-object v1, Lprograms/Types$Colour;->BLUE:Lprograms/Types$Colour;
    filled-new-array {v0, v1}, [Lprograms/Types$Colour;
    move-result-object v0
    sput-object v0, Lprograms/Types$Colour;->all:[Lprograms/Types$Colour;
    return-void
.end method

.method private constructor <init>(Ljava/lang/String;I)V
    .locals 0
    invoke-direct {p0, p1, p2}, Ljava/lang/Enum;-><init>(Ljava/lang/String;I)V
    return-void
.end method

.method public static values()[Lprograms/Types$Colour;
    .locals 1
    sget-object v0, Lprograms/Types$Colour;->all:[Lprograms/Types$Colour;
    invoke-virtual {v0}, [Lprograms/Types$Colour;->clone()Ljava/lang/Object;
    move-result-object v0
    check-cast v0, [Lprograms/Types$Colour;
    return-object v0
.end method
