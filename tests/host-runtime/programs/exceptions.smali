# Handlers, finally blocks, and every exception that ART itself throws.
.class public Lprograms/Exceptions;
.super Ljava/lang/Object;

.method static quotient(II)I
    .locals 2
    const-string v1, "begin"
    :try
    div-int v0, p0, p1
    const-string v1, "divided"
    :try_end
    .catch Ljava/lang/ArithmeticException; {:try .. :try_end} :zero
    .catchall {:try .. :try_end} :other
    const-string p1, "reached"
    invoke-static {p1, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    return v0
    :zero
    move-exception v0
    invoke-virtual {v0}, Ljava/lang/Throwable;->getMessage()Ljava/lang/String;
    move-result-object v0
    invoke-static {v0, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const/4 v0, -0x1
    return v0
    :other
    move-exception v0
    throw v0
.end method

# The finally block runs on each of three ways out.
.method static ways(I)I
    .locals 3
    const-string v2, "finally"
    :try
    invoke-static {p0}, Lprograms/Exceptions;->risky(I)I
    move-result v0
    :try_end
    .catch Lprograms/Exceptions$Checked; {:try .. :try_end} :checked
    .catchall {:try .. :try_end} :any
    :leave
    invoke-static {v2, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    return v0
    :checked
    move-exception v1
    :inner
    const-string v0, "caught"
    invoke-static {v0, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const/16 v0, 0x63
    :inner_end
    .catchall {:inner .. :inner_end} :any
    goto :leave
    :any
    move-exception v0
    invoke-static {v2, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    throw v0
.end method

.method static risky(I)I
    .locals 3
    packed-switch p0, :table
    return p0
    :checked
    new-instance v0, Lprograms/Exceptions$Checked;
    const-string v1, "checked"
    invoke-direct {v0, v1}, Lprograms/Exceptions$Checked;-><init>(Ljava/lang/String;)V
    throw v0
    :state
    new-instance v0, Ljava/lang/IllegalStateException;
    new-instance v1, Lprograms/Exceptions$Checked;
    const-string v2, "inner"
    invoke-direct {v1, v2}, Lprograms/Exceptions$Checked;-><init>(Ljava/lang/String;)V
    const-string v2, "outer"
    invoke-direct {v0, v2, v1}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;Ljava/lang/Throwable;)V
    throw v0
    :table
    .packed-switch 0x1
        :checked
        :state
    .end packed-switch
.end method

.method static endless(I)I
    .locals 1
    add-int/lit8 v0, p0, 0x1
    invoke-static {v0}, Lprograms/Exceptions;->endless(I)I
    move-result v0
    add-int/lit8 v0, v0, 0x1
    return v0
.end method

# What ART throws, by number.
.method static thrower(I)V
    .locals 4
    const/4 v0, 0x0
    const/4 v1, 0x0
    const/4 v2, 0x2
    packed-switch p0, :table
    return-void
    :c0
    rem-int v0, v2, v1
    return-void
    :c1
    const-wide/16 v0, 0x0
    div-long v2, v0, v0
    return-void
    :c2
    invoke-virtual {v0}, Ljava/lang/Object;->toString()Ljava/lang/String;
    return-void
    :c3
    check-cast v0, [I
    array-length v0, v0
    return-void
    :c4
    new-array v0, v2, [I
    aget v0, v0, v2
    return-void
    :c5
    new-array v0, v2, [J
    const/4 v1, -0x1
    const-wide/16 v2, 0x1
    aput-wide v2, v0, v1
    return-void
    :c6
    const/4 v1, -0x5
    new-array v0, v1, [I
    return-void
    :c7
    new-array v0, v2, [Ljava/lang/Integer;
    const-string v2, "text"
    aput-object v2, v0, v1
    return-void
    :c8
    const-string v0, "text"
    check-cast v0, Ljava/lang/Object;
    check-cast v0, Ljava/lang/Integer;
    return-void
    :c9
    const-string v0, "text"
    invoke-static {v0}, Lprograms/Exceptions$Unbalanced;->exit(Ljava/lang/Object;)V
    return-void
    :c10
    check-cast v0, Ljava/lang/Throwable;
    throw v0
    :c11
    const/4 v0, 0x0
    invoke-static {v0}, Lprograms/Exceptions;->endless(I)I
    return-void
    :c12
    sget v0, Lprograms/Exceptions$Broken;->value:I
    return-void
    :c13
    sget v0, Lprograms/Exceptions$Broken;->value:I
    return-void
    :c14
    const-string v0, "text"
    const/16 v1, 0x9
    invoke-virtual {v0, v1}, Ljava/lang/String;->charAt(I)C
    return-void
    :c15
    invoke-static {}, Lprograms/Missing;->nothing()V
    return-void
    :c16
    invoke-static {}, Lprograms/Exceptions;->nothing()V
    return-void
    :c17
    sget v0, Lprograms/Exceptions;->nothing:I
    return-void
    :c18
    const v1, 0x7fffffff
    new-array v0, v1, [J
    return-void
    :c19
    new-instance v0, Lprograms/Exceptions$Abstract;
    return-void
    :table
    .packed-switch 0x0
        :c0
        :c1
        :c2
        :c3
        :c4
        :c5
        :c6
        :c7
        :c8
        :c9
        :c10
        :c11
        :c12
        :c13
        :c14
        :c15
        :c16
        :c17
        :c18
        :c19
    .end packed-switch
.end method

.method public static main([Ljava/lang/String;)V
    .locals 6
    const-string v5, "result"
    const/4 v0, 0x7
    const/4 v1, 0x2
    invoke-static {v0, v1}, Lprograms/Exceptions;->quotient(II)I
    move-result v2
    invoke-static {v5, v2}, Lprograms/Out;->number(Ljava/lang/String;I)V
    const/4 v1, 0x0
    invoke-static {v0, v1}, Lprograms/Exceptions;->quotient(II)I
    move-result v2
    invoke-static {v5, v2}, Lprograms/Out;->number(Ljava/lang/String;I)V
    const/4 v0, 0x0
    :ways
    const/4 v1, 0x3
    if-ge v0, v1, :ways_done
    :try
    invoke-static {v0}, Lprograms/Exceptions;->ways(I)I
    move-result v2
    invoke-static {v5, v2}, Lprograms/Out;->number(Ljava/lang/String;I)V
    :try_end
    .catch Ljava/lang/RuntimeException; {:try .. :try_end} :runtime
    :ways_next
    add-int/lit8 v0, v0, 0x1
    goto :ways
    :runtime
    move-exception v2
    const-string v3, "runtime"
    invoke-static {v3, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    invoke-virtual {v2}, Ljava/lang/Throwable;->getCause()Ljava/lang/Throwable;
    move-result-object v2
    const-string v3, "cause"
    invoke-static {v3, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    goto :ways_next
    :ways_done
    const/4 v0, 0x0
    :kinds
    const/16 v1, 0x14
    if-ge v0, v1, :kinds_done
    :try2
    invoke-static {v0}, Lprograms/Exceptions;->thrower(I)V
    const-string v3, "nothing"
    invoke-static {v3, v0}, Lprograms/Out;->number(Ljava/lang/String;I)V
    :try2_end
    .catch Ljava/lang/Throwable; {:try2 .. :try2_end} :thrown
    :kinds_next
    add-int/lit8 v0, v0, 0x1
    goto :kinds
    :thrown
    move-exception v2
    instance-of v3, v2, Ljava/lang/StackOverflowError;
    if-nez v3, :type_only
    instance-of v3, v2, Ljava/lang/OutOfMemoryError;
    if-nez v3, :type_only
    instance-of v3, v2, Ljava/lang/LinkageError;
    if-nez v3, :type_only
    const-string v3, "thrown"
    invoke-static {v3, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    goto :kinds_next
    :type_only
    invoke-virtual {v2}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v2
    const-string v3, "error"
    invoke-static {v3, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    goto :kinds_next
    :kinds_done
    new-instance v0, Lprograms/Exceptions$Checked;
    const-string v1, "with another"
    invoke-direct {v0, v1}, Lprograms/Exceptions$Checked;-><init>(Ljava/lang/String;)V
    new-instance v1, Ljava/lang/NullPointerException;
    invoke-direct {v1}, Ljava/lang/NullPointerException;-><init>()V
    invoke-virtual {v0, v1}, Ljava/lang/Throwable;->addSuppressed(Ljava/lang/Throwable;)V
    invoke-virtual {v0}, Ljava/lang/Throwable;->getSuppressed()[Ljava/lang/Throwable;
    move-result-object v1
    array-length v1, v1
    const-string v2, "suppressed"
    invoke-static {v2, v1}, Lprograms/Out;->number(Ljava/lang/String;I)V
    invoke-virtual {v0}, Ljava/lang/Throwable;->getStackTrace()[Ljava/lang/StackTraceElement;
    move-result-object v1
    const/4 v2, 0x0
    aget-object v1, v1, v2
    const-string v2, "made in"
    invoke-static {v2, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    throw v0
.end method


.class public Lprograms/Exceptions$Checked;
.super Ljava/lang/Exception;
.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0, p1}, Ljava/lang/Exception;-><init>(Ljava/lang/String;)V
    return-void
.end method


.class public Lprograms/Exceptions$Broken;
.super Ljava/lang/Object;
.field public static value:I
.method static constructor <clinit>()V
    .locals 1
    const/4 v0, 0x0
    div-int v0, v0, v0
    sput v0, Lprograms/Exceptions$Broken;->value:I
    return-void
.end method


.class public abstract Lprograms/Exceptions$Abstract;
.super Ljava/lang/Object;


# The verifier cannot prove such a method, so ART checks its locks when it runs: a class of its own keeps the other methods as they are.
.class public Lprograms/Exceptions$Unbalanced;
.super Ljava/lang/Object;
.method static exit(Ljava/lang/Object;)V
    .locals 0
    monitor-exit p0
    return-void
.end method
