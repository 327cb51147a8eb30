# Calls of every kind and register form, class initialisation, inheritance.
.class public Lprograms/Calls;
.super Lprograms/Calls$Base;
.implements Lprograms/Calls$Named;

.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0, p1}, Lprograms/Calls$Base;-><init>(Ljava/lang/String;)V
    return-void
.end method

.method public name()Ljava/lang/String;
    .locals 2
    invoke-super {p0}, Lprograms/Calls$Base;->name()Ljava/lang/String;
    move-result-object v0
    const-string v1, " (derived)"
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method private secret(J)J
    .locals 2
    const-wide/16 v0, 0x3
    mul-long/2addr v0, p1
    return-wide v0
.end method

# Nine words of arguments: only a range holds them.
.method static many(IJFDLjava/lang/String;ZB)Ljava/lang/String;
    .locals 2
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    invoke-virtual {v0, p0}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    invoke-virtual {v0, p1, p2}, Ljava/lang/StringBuilder;->append(J)Ljava/lang/StringBuilder;
    invoke-virtual {v0, p3}, Ljava/lang/StringBuilder;->append(F)Ljava/lang/StringBuilder;
    invoke-virtual {v0, p4, p5}, Ljava/lang/StringBuilder;->append(D)Ljava/lang/StringBuilder;
    invoke-virtual/range {v0 .. v0}, Ljava/lang/StringBuilder;->length()I
    move-result v1
    invoke-virtual {v0, p6}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0, p7}, Ljava/lang/StringBuilder;->append(Z)Ljava/lang/StringBuilder;
    invoke-virtual {v0, p8}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method static factorial(J)J
    .locals 4
    const-wide/16 v0, 0x1
    cmp-long v2, p0, v0
    if-gtz v2, :more
    return-wide v0
    :more
    sub-long v0, p0, v0
    invoke-static {v0, v1}, Lprograms/Calls;->factorial(J)J
    move-result-wide v0
    mul-long/2addr v0, p0
    return-wide v0
.end method

# p0 alone is above register 15.
.method public high(I)I
    .locals 20
    move-object/from16 v1, p0
    move/from16 v17, p1
    move-object/from16 v16, v1
    invoke-super/range {v16 .. v17}, Lprograms/Calls$Base;->high(I)I
    move-result v2
    invoke-direct/range {v16 .. v16}, Lprograms/Calls;->own()I
    move-result v3
    add-int/2addr v2, v3
    invoke-interface/range {v16 .. v16}, Lprograms/Calls$Named;->greeting()Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v3}, Ljava/lang/String;->length()I
    move-result v3
    add-int/2addr v2, v3
    return v2
.end method

.method private own()I
    .locals 1
    const/16 v0, 0x3e8
    return v0
.end method

.method public static main([Ljava/lang/String;)V
    .locals 16
    const-string v15, "value"
    new-instance v0, Lprograms/Calls;
    const-string v1, "object"
    invoke-direct {v0, v1}, Lprograms/Calls;-><init>(Ljava/lang/String;)V
    invoke-virtual {v0}, Lprograms/Calls$Base;->name()Ljava/lang/String;
    move-result-object v1
    invoke-static {v15, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    # A default method, one that a class replaces, and a static one of an interface.
    invoke-interface {v0}, Lprograms/Calls$Named;->greeting()Ljava/lang/String;
    move-result-object v1
    invoke-static {v15, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    new-instance v2, Lprograms/Calls$Polite;
    invoke-direct {v2}, Lprograms/Calls$Polite;-><init>()V
    invoke-interface {v2}, Lprograms/Calls$Named;->greeting()Ljava/lang/String;
    move-result-object v1
    invoke-static {v15, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    invoke-static {}, Lprograms/Calls$Named;->punctuation()Ljava/lang/String;
    move-result-object v1
    invoke-static {v15, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-wide/32 v2, 0x12345678
    invoke-direct {v0, v2, v3}, Lprograms/Calls;->secret(J)J
    move-result-wide v2
    invoke-static {v15, v2, v3}, Lprograms/Out;->number(Ljava/lang/String;J)V
    const/4 v2, 0x7
    const-wide/high16 v3, -0x8000000000000000L
    const/high16 v5, 0x3fc00000
    const-wide/high16 v6, 0x4004000000000000L
    const-string v8, "text"
    const/4 v9, 0x1
    const/16 v10, -0x80
    invoke-static/range {v2 .. v10}, Lprograms/Calls;->many(IJFDLjava/lang/String;ZB)Ljava/lang/String;
    move-result-object v1
    invoke-static {v15, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-wide/16 v2, 0x14
    invoke-static {v2, v3}, Lprograms/Calls;->factorial(J)J
    move-result-wide v2
    invoke-static {v15, v2, v3}, Lprograms/Out;->number(Ljava/lang/String;J)V
    const/16 v1, 0x5
    invoke-virtual {v0, v1}, Lprograms/Calls;->high(I)I
    move-result v1
    invoke-static {v15, v1}, Lprograms/Out;->number(Ljava/lang/String;I)V
    # Arrays of references from registers, five at most and a range.
    const-string v2, "a"
    const-string v3, "b"
    const-string v4, "c"
    filled-new-array {v4, v3, v2}, [Ljava/lang/String;
    move-result-object v5
    const/4 v6, 0x0
    aget-object v5, v5, v6
    invoke-static {v15, v5}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const/4 v2, 0x1
    const/4 v3, 0x2
    const/4 v4, 0x3
    const/4 v5, 0x4
    const/4 v6, 0x5
    const/4 v7, 0x6
    filled-new-array/range {v2 .. v7}, [I
    move-result-object v1
    array-length v2, v1
    const/4 v3, 0x5
    aget v3, v1, v3
    mul-int/2addr v2, v3
    invoke-static {v15, v2}, Lprograms/Out;->number(Ljava/lang/String;I)V
    # A class is initialised when it is first used, its superclass before it.
    const-class v2, Lprograms/Calls$Lazy;
    invoke-static {v15, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    sget-object v2, Lprograms/Calls$Lazy;->value:Ljava/lang/String;
    invoke-static {v15, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    sget-object v2, Lprograms/Calls$Lazy;->value:Ljava/lang/String;
    invoke-static {v15, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    sget v2, Lprograms/Calls$Lazy;->constant:I
    invoke-static {v15, v2}, Lprograms/Out;->number(Ljava/lang/String;I)V
    sget-wide v2, Lprograms/Calls$Lazy;->real:D
    invoke-static {v15, v2, v3}, Lprograms/Out;->number(Ljava/lang/String;D)V
    return-void
.end method


.class public Lprograms/Calls$Base;
.super Ljava/lang/Object;
.field protected final text:Ljava/lang/String;

.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lprograms/Calls$Base;->text:Ljava/lang/String;
    return-void
.end method

.method public name()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Lprograms/Calls$Base;->text:Ljava/lang/String;
    return-object v0
.end method

.method public high(I)I
    .locals 1
    mul-int/lit8 v0, p1, 0xb
    return v0
.end method


.class public interface abstract Lprograms/Calls$Named;
.super Ljava/lang/Object;

.method public abstract name()Ljava/lang/String;
.end method

.method public greeting()Ljava/lang/String;
    .locals 2
    invoke-interface {p0}, Lprograms/Calls$Named;->name()Ljava/lang/String;
    move-result-object v0
    const-string v1, "hello "
    invoke-virtual {v1, v0}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {}, Lprograms/Calls$Named;->punctuation()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public static punctuation()Ljava/lang/String;
    .locals 1
    const-string v0, "!"
    return-object v0
.end method


.class public Lprograms/Calls$Polite;
.super Ljava/lang/Object;
.implements Lprograms/Calls$Named;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public name()Ljava/lang/String;
    .locals 1
    const-string v0, "polite"
    return-object v0
.end method

# The default of the interface, asked for by name.
.method public greeting()Ljava/lang/String;
    .locals 2
    invoke-super {p0}, Lprograms/Calls$Named;->greeting()Ljava/lang/String;
    move-result-object v0
    const-string v1, " please"
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method


.class public Lprograms/Calls$Lazy;
.super Lprograms/Calls$LazyBase;
.field public static value:Ljava/lang/String; = "before"
.field public static final constant:I = -0x7b
.field public static final real:D = 2.5

.method static constructor <clinit>()V
    .locals 2
    const-string v0, "initialised"
    sget-object v1, Lprograms/Calls$Lazy;->value:Ljava/lang/String;
    invoke-static {v0, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-string v0, "after"
    sput-object v0, Lprograms/Calls$Lazy;->value:Ljava/lang/String;
    return-void
.end method


.class public Lprograms/Calls$LazyBase;
.super Ljava/lang/Object;
.method static constructor <clinit>()V
    .locals 1
    const-string v0, "initialised"
    invoke-static {v0, v0}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    return-void
.end method
