# Throwables, threads, reflection, references and the system.

.class public Ljava/lang/Throwable;
.implements Ljava/io/Serializable;

.method public constructor <init>()V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    # A throwable that is its own cause has none yet.
    iput-object p0, p0, Ljava/lang/Throwable;->cause:Ljava/lang/Throwable;
    invoke-virtual {p0}, Ljava/lang/Throwable;->fillInStackTrace()Ljava/lang/Throwable;
    return-void
.end method

.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Throwable;-><init>()V
    iput-object p1, p0, Ljava/lang/Throwable;->detailMessage:Ljava/lang/String;
    return-void
.end method

.method public constructor <init>(Ljava/lang/Throwable;)V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Throwable;-><init>()V
    iput-object p1, p0, Ljava/lang/Throwable;->cause:Ljava/lang/Throwable;
    if-eqz p1, :none
    invoke-virtual {p1}, Ljava/lang/Throwable;->toString()Ljava/lang/String;
    move-result-object v0
    iput-object v0, p0, Ljava/lang/Throwable;->detailMessage:Ljava/lang/String;
    :none
    return-void
.end method

.method public constructor <init>(Ljava/lang/String;Ljava/lang/Throwable;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Throwable;-><init>()V
    iput-object p1, p0, Ljava/lang/Throwable;->detailMessage:Ljava/lang/String;
    iput-object p2, p0, Ljava/lang/Throwable;->cause:Ljava/lang/Throwable;
    return-void
.end method

.method public fillInStackTrace()Ljava/lang/Throwable;
    .locals 1
    invoke-static {}, Ljava/lang/Throwable;->nativeFillInStackTrace()Ljava/lang/Object;
    move-result-object v0
    iput-object v0, p0, Ljava/lang/Throwable;->backtrace:Ljava/lang/Object;
    const/4 v0, 0x0
    iput-object v0, p0, Ljava/lang/Throwable;->stackTrace:[Ljava/lang/StackTraceElement;
    return-object p0
.end method

.method public getStackTrace()[Ljava/lang/StackTraceElement;
    .locals 1
    iget-object v0, p0, Ljava/lang/Throwable;->stackTrace:[Ljava/lang/StackTraceElement;
    if-nez v0, :known
    iget-object v0, p0, Ljava/lang/Throwable;->backtrace:Ljava/lang/Object;
    invoke-static {v0}, Ljava/lang/Throwable;->nativeGetStackTrace(Ljava/lang/Object;)[Ljava/lang/StackTraceElement;
    move-result-object v0
    iput-object v0, p0, Ljava/lang/Throwable;->stackTrace:[Ljava/lang/StackTraceElement;
    :known
    return-object v0
.end method

.method public setStackTrace([Ljava/lang/StackTraceElement;)V
    .locals 0
    iput-object p1, p0, Ljava/lang/Throwable;->stackTrace:[Ljava/lang/StackTraceElement;
    return-void
.end method

.method public getMessage()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/lang/Throwable;->detailMessage:Ljava/lang/String;
    return-object v0
.end method

.method public getCause()Ljava/lang/Throwable;
    .locals 1
    iget-object v0, p0, Ljava/lang/Throwable;->cause:Ljava/lang/Throwable;
    if-ne v0, p0, :set
    const/4 v0, 0x0
    :set
    return-object v0
.end method

.method public initCause(Ljava/lang/Throwable;)Ljava/lang/Throwable;
    .locals 2
    iget-object v0, p0, Ljava/lang/Throwable;->cause:Ljava/lang/Throwable;
    if-eq v0, p0, :unset
    new-instance v0, Ljava/lang/IllegalStateException;
    const-string v1, "Can't overwrite cause"
    invoke-direct {v0, v1}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
    throw v0
    :unset
    iput-object p1, p0, Ljava/lang/Throwable;->cause:Ljava/lang/Throwable;
    return-object p0
.end method

.method public final addSuppressed(Ljava/lang/Throwable;)V
    .locals 2
    iget-object v0, p0, Ljava/lang/Throwable;->suppressedExceptions:Ljava/util/List;
    if-eqz v0, :make
    # ART sets the empty list on a StackOverflowError, for which it calls no constructor.
    invoke-interface {v0}, Ljava/util/List;->isEmpty()Z
    move-result v1
    if-eqz v1, :made
    :make
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    iput-object v0, p0, Ljava/lang/Throwable;->suppressedExceptions:Ljava/util/List;
    :made
    invoke-interface {v0, p1}, Ljava/util/List;->add(Ljava/lang/Object;)Z
    return-void
.end method

.method public final getSuppressed()[Ljava/lang/Throwable;
    .locals 5
    const/4 v2, 0x0
    const/4 v1, 0x0
    iget-object v0, p0, Ljava/lang/Throwable;->suppressedExceptions:Ljava/util/List;
    if-eqz v0, :sized
    invoke-interface {v0}, Ljava/util/List;->size()I
    move-result v1
    :sized
    new-array v3, v1, [Ljava/lang/Throwable;
    :next
    if-ge v2, v1, :done
    invoke-interface {v0, v2}, Ljava/util/List;->get(I)Ljava/lang/Object;
    move-result-object v4
    check-cast v4, Ljava/lang/Throwable;
    aput-object v4, v3, v2
    add-int/lit8 v2, v2, 0x1
    goto :next
    :done
    return-object v3
.end method

.method public toString()Ljava/lang/String;
    .locals 3
    invoke-virtual {p0}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0}, Ljava/lang/Throwable;->getMessage()Ljava/lang/String;
    move-result-object v1
    if-eqz v1, :bare
    const-string v2, ": "
    invoke-virtual {v0, v2}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    :bare
    return-object v0
.end method

.method public printStackTrace()V
    .locals 6
    sget-object v0, Ljava/lang/System;->err:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
    invoke-virtual {p0}, Ljava/lang/Throwable;->getStackTrace()[Ljava/lang/StackTraceElement;
    move-result-object v1
    array-length v2, v1
    const/4 v3, 0x0
    :next
    if-ge v3, v2, :done
    const-string v4, "\tat "
    invoke-virtual {v0, v4}, Ljava/io/PrintStream;->print(Ljava/lang/String;)V
    aget-object v4, v1, v3
    invoke-virtual {v0, v4}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
    add-int/lit8 v3, v3, 0x1
    goto :next
    :done
    return-void
.end method


.class public final Ljava/lang/StackTraceElement;

.method public constructor <init>(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;I)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/lang/StackTraceElement;->declaringClass:Ljava/lang/String;
    iput-object p2, p0, Ljava/lang/StackTraceElement;->methodName:Ljava/lang/String;
    iput-object p3, p0, Ljava/lang/StackTraceElement;->fileName:Ljava/lang/String;
    iput p4, p0, Ljava/lang/StackTraceElement;->lineNumber:I
    return-void
.end method

.method public getClassName()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/lang/StackTraceElement;->declaringClass:Ljava/lang/String;
    return-object v0
.end method

.method public getMethodName()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/lang/StackTraceElement;->methodName:Ljava/lang/String;
    return-object v0
.end method

.method public getFileName()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/lang/StackTraceElement;->fileName:Ljava/lang/String;
    return-object v0
.end method

.method public getLineNumber()I
    .locals 1
    iget v0, p0, Ljava/lang/StackTraceElement;->lineNumber:I
    return v0
.end method

.method public toString()Ljava/lang/String;
    .locals 2
    iget-object v0, p0, Ljava/lang/StackTraceElement;->declaringClass:Ljava/lang/String;
    const-string v1, "."
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    iget-object v1, p0, Ljava/lang/StackTraceElement;->methodName:Ljava/lang/String;
    invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method


.class public Ljava/lang/ThreadGroup;

.method static constructor <clinit>()V
    .locals 2
    new-instance v0, Ljava/lang/ThreadGroup;
    const-string v1, "system"
    invoke-direct {v0, v1}, Ljava/lang/ThreadGroup;-><init>(Ljava/lang/String;)V
    sput-object v0, Ljava/lang/ThreadGroup;->systemThreadGroup:Ljava/lang/ThreadGroup;
    new-instance v0, Ljava/lang/ThreadGroup;
    const-string v1, "main"
    invoke-direct {v0, v1}, Ljava/lang/ThreadGroup;-><init>(Ljava/lang/String;)V
    sput-object v0, Ljava/lang/ThreadGroup;->mainThreadGroup:Ljava/lang/ThreadGroup;
    return-void
.end method

.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/lang/ThreadGroup;->name:Ljava/lang/String;
    return-void
.end method

# Groups list no threads: Thread.awaitStarted knows those that were started.
.method public add(Ljava/lang/Thread;)V
    .locals 0
    return-void
.end method

.method public threadTerminated(Ljava/lang/Thread;)V
    .locals 0
    return-void
.end method


.class public Ljava/lang/Thread;
.implements Ljava/lang/Runnable;
.field private static made:I
# The threads that were started, newest first.
.field private static newest:Ljava/lang/Thread;
.field private older:Ljava/lang/Thread;
.field private started:Z

.method public constructor <init>()V
    .locals 2
    const/4 v0, 0x0
    invoke-direct {p0, v0, v0}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V
    return-void
.end method

.method public constructor <init>(Ljava/lang/Runnable;)V
    .locals 1
    const/4 v0, 0x0
    invoke-direct {p0, p1, v0}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V
    return-void
.end method

.method public constructor <init>(Ljava/lang/String;)V
    .locals 1
    const/4 v0, 0x0
    invoke-direct {p0, v0, p1}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V
    return-void
.end method

.method public constructor <init>(Ljava/lang/Runnable;Ljava/lang/String;)V
    .locals 3
    if-nez p2, :named
    new-instance v0, Ljava/lang/StringBuilder;
    const-string v1, "Thread-"
    invoke-direct {v0, v1}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
    sget v1, Ljava/lang/Thread;->made:I
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    add-int/lit8 v1, v1, 0x1
    sput v1, Ljava/lang/Thread;->made:I
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object p2
    :named
    sget-object v0, Ljava/lang/ThreadGroup;->mainThreadGroup:Ljava/lang/ThreadGroup;
    const/4 v1, 0x5
    const/4 v2, 0x0
    invoke-direct {p0, v0, p2, v1, v2}, Ljava/lang/Thread;-><init>(Ljava/lang/ThreadGroup;Ljava/lang/String;IZ)V
    iput-object p1, p0, Ljava/lang/Thread;->target:Ljava/lang/Runnable;
    return-void
.end method

.method constructor <init>(Ljava/lang/ThreadGroup;Ljava/lang/String;IZ)V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/lang/Thread;->group:Ljava/lang/ThreadGroup;
    iput-object p2, p0, Ljava/lang/Thread;->name:Ljava/lang/String;
    iput p3, p0, Ljava/lang/Thread;->priority:I
    iput-boolean p4, p0, Ljava/lang/Thread;->daemon:Z
    # ART notifies its waiters when the thread ends.
    new-instance v0, Ljava/lang/Object;
    invoke-direct {v0}, Ljava/lang/Object;-><init>()V
    iput-object v0, p0, Ljava/lang/Thread;->lock:Ljava/lang/Object;
    return-void
.end method

.method public run()V
    .locals 1
    iget-object v0, p0, Ljava/lang/Thread;->target:Ljava/lang/Runnable;
    if-eqz v0, :none
    invoke-interface {v0}, Ljava/lang/Runnable;->run()V
    :none
    return-void
.end method

.method public start()V
    .locals 3
    const-class v2, Ljava/lang/Thread;
    monitor-enter v2
    :try
    iget-boolean v0, p0, Ljava/lang/Thread;->started:Z
    if-eqz v0, :fresh
    new-instance v0, Ljava/lang/IllegalStateException;
    const-string v1, "started twice"
    invoke-direct {v0, v1}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
    throw v0
    :fresh
    const/4 v0, 0x1
    iput-boolean v0, p0, Ljava/lang/Thread;->started:Z
    sget-object v0, Ljava/lang/Thread;->newest:Ljava/lang/Thread;
    iput-object v0, p0, Ljava/lang/Thread;->older:Ljava/lang/Thread;
    sput-object p0, Ljava/lang/Thread;->newest:Ljava/lang/Thread;
    :try_end
    .catchall {:try .. :try_end} :failed
    monitor-exit v2
    const-wide/16 v0, 0x0
    iget-boolean v2, p0, Ljava/lang/Thread;->daemon:Z
    invoke-static {p0, v0, v1, v2}, Ljava/lang/Thread;->nativeCreate(Ljava/lang/Thread;JZ)V
    return-void
    :failed
    move-exception v0
    monitor-exit v2
    throw v0
.end method

.method public final isAlive()Z
    .locals 4
    iget-wide v0, p0, Ljava/lang/Thread;->nativePeer:J
    const-wide/16 v2, 0x0
    cmp-long v0, v0, v2
    if-eqz v0, :ended
    const/4 v0, 0x1
    :ended
    return v0
.end method

.method public final join()V
    .locals 2
    iget-object v0, p0, Ljava/lang/Thread;->lock:Ljava/lang/Object;
    monitor-enter v0
    :try
    :again
    invoke-virtual {p0}, Ljava/lang/Thread;->isAlive()Z
    move-result v1
    if-eqz v1, :ended
    invoke-virtual {v0}, Ljava/lang/Object;->wait()V
    goto :again
    :try_end
    .catchall {:try .. :try_end} :failed
    :ended
    monitor-exit v0
    return-void
    :failed
    move-exception v1
    monitor-exit v0
    throw v1
.end method

# Until it ends, or for so many milliseconds.
.method public final join(J)V
    .locals 4
    invoke-static {}, Ljava/lang/System;->currentTimeMillis()J
    move-result-wide v0
    add-long/2addr p1, v0
    :again
    invoke-virtual {p0}, Ljava/lang/Thread;->isAlive()Z
    move-result v0
    if-eqz v0, :ended
    invoke-static {}, Ljava/lang/System;->currentTimeMillis()J
    move-result-wide v0
    cmp-long v0, v0, p1
    if-gez v0, :ended
    const-wide/16 v0, 0xa
    invoke-static {v0, v1}, Ljava/lang/Thread;->sleep(J)V
    goto :again
    :ended
    return-void
.end method

# Waits for every thread that was started and is no daemon, also those that these start.
.method public static awaitStarted()V
    .locals 2
    :again
    sget-object v0, Ljava/lang/Thread;->newest:Ljava/lang/Thread;
    :next
    if-eqz v0, :done
    iget-boolean v1, v0, Ljava/lang/Thread;->daemon:Z
    if-nez v1, :older
    invoke-virtual {v0}, Ljava/lang/Thread;->isAlive()Z
    move-result v1
    if-eqz v1, :older
    invoke-virtual {v0}, Ljava/lang/Thread;->join()V
    goto :again
    :older
    iget-object v0, v0, Ljava/lang/Thread;->older:Ljava/lang/Thread;
    goto :next
    :done
    return-void
.end method

.method public static sleep(J)V
    .locals 2
    new-instance v0, Ljava/lang/Object;
    invoke-direct {v0}, Ljava/lang/Object;-><init>()V
    monitor-enter v0
    :try
    const/4 v1, 0x0
    invoke-static {v0, p0, p1, v1}, Ljava/lang/Thread;->sleep(Ljava/lang/Object;JI)V
    :try_end
    .catchall {:try .. :try_end} :failed
    monitor-exit v0
    return-void
    :failed
    move-exception v1
    monitor-exit v0
    throw v1
.end method

.method public interrupt()V
    .locals 0
    invoke-virtual {p0}, Ljava/lang/Thread;->interrupt0()V
    return-void
.end method

.method public final getName()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/lang/Thread;->name:Ljava/lang/String;
    return-object v0
.end method

.method public final setName(Ljava/lang/String;)V
    .locals 0
    iput-object p1, p0, Ljava/lang/Thread;->name:Ljava/lang/String;
    return-void
.end method

.method public final setDaemon(Z)V
    .locals 0
    iput-boolean p1, p0, Ljava/lang/Thread;->daemon:Z
    return-void
.end method

.method public final isDaemon()Z
    .locals 1
    iget-boolean v0, p0, Ljava/lang/Thread;->daemon:Z
    return v0
.end method

.method public getContextClassLoader()Ljava/lang/ClassLoader;
    .locals 1
    iget-object v0, p0, Ljava/lang/Thread;->contextClassLoader:Ljava/lang/ClassLoader;
    return-object v0
.end method

.method public setContextClassLoader(Ljava/lang/ClassLoader;)V
    .locals 0
    iput-object p1, p0, Ljava/lang/Thread;->contextClassLoader:Ljava/lang/ClassLoader;
    return-void
.end method

.method public getStackTrace()[Ljava/lang/StackTraceElement;
    .locals 1
    invoke-static {p0}, Ldalvik/system/VMStack;->getThreadStackTrace(Ljava/lang/Thread;)[Ljava/lang/StackTraceElement;
    move-result-object v0
    return-object v0
.end method

# The launcher reports the exception like that of the main thread and ends the process.
.method public final dispatchUncaughtException(Ljava/lang/Throwable;)V
    .locals 0
    invoke-static {p1}, Lhostruntime/Host;->fail(Ljava/lang/Throwable;)V
    return-void
.end method


.class public interface abstract Ljava/lang/reflect/Member;


.class public abstract Ljava/lang/reflect/AccessibleObject;

.method constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public setAccessible(Z)V
    .locals 0
    iput-boolean p1, p0, Ljava/lang/reflect/AccessibleObject;->override:Z
    return-void
.end method


.class public abstract Ljava/lang/reflect/Executable;
.super Ljava/lang/reflect/AccessibleObject;
.implements Ljava/lang/reflect/Member;

.method constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/reflect/AccessibleObject;-><init>()V
    return-void
.end method

.method public getDeclaringClass()Ljava/lang/Class;
    .locals 1
    iget-object v0, p0, Ljava/lang/reflect/Executable;->declaringClass:Ljava/lang/Class;
    return-object v0
.end method

.method public getModifiers()I
    .locals 2
    iget v0, p0, Ljava/lang/reflect/Executable;->accessFlags:I
    const v1, 0xffff
    and-int/2addr v0, v1
    return v0
.end method

.method public getParameterTypes()[Ljava/lang/Class;
    .locals 1
    invoke-virtual {p0}, Ljava/lang/reflect/Executable;->getParameterTypesInternal()[Ljava/lang/Class;
    move-result-object v0
    if-nez v0, :some
    const/4 v0, 0x0
    new-array v0, v0, [Ljava/lang/Class;
    :some
    return-object v0
.end method


.class public final Ljava/lang/reflect/Method;
.super Ljava/lang/reflect/Executable;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/reflect/Executable;-><init>()V
    return-void
.end method

.method public getName()Ljava/lang/String;
    .locals 1
    invoke-virtual {p0}, Ljava/lang/reflect/Executable;->getMethodNameInternal()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public getReturnType()Ljava/lang/Class;
    .locals 1
    invoke-virtual {p0}, Ljava/lang/reflect/Executable;->getMethodReturnTypeInternal()Ljava/lang/Class;
    move-result-object v0
    return-object v0
.end method


.class public final Ljava/lang/reflect/Constructor;
.super Ljava/lang/reflect/Executable;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/reflect/Executable;-><init>()V
    return-void
.end method

.method public varargs newInstance([Ljava/lang/Object;)Ljava/lang/Object;
    .locals 1
    invoke-virtual {p0, p1}, Ljava/lang/reflect/Constructor;->newInstance0([Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v0
    return-object v0
.end method


.class public final Ljava/lang/reflect/Field;
.super Ljava/lang/reflect/AccessibleObject;
.implements Ljava/lang/reflect/Member;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/reflect/AccessibleObject;-><init>()V
    return-void
.end method

.method public getName()Ljava/lang/String;
    .locals 1
    invoke-virtual {p0}, Ljava/lang/reflect/Field;->getNameInternal()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public getType()Ljava/lang/Class;
    .locals 1
    iget-object v0, p0, Ljava/lang/reflect/Field;->type:Ljava/lang/Class;
    return-object v0
.end method

.method public getModifiers()I
    .locals 2
    iget v0, p0, Ljava/lang/reflect/Field;->accessFlags:I
    const v1, 0xffff
    and-int/2addr v0, v1
    return v0
.end method

.method public getDeclaringClass()Ljava/lang/Class;
    .locals 1
    iget-object v0, p0, Ljava/lang/reflect/Field;->declaringClass:Ljava/lang/Class;
    return-object v0
.end method


.class public Ljava/lang/reflect/InvocationTargetException;
.super Ljava/lang/ReflectiveOperationException;

.method public constructor <init>(Ljava/lang/Throwable;)V
    .locals 1
    const/4 v0, 0x0
    invoke-direct {p0, v0, p1}, Ljava/lang/ReflectiveOperationException;-><init>(Ljava/lang/String;Ljava/lang/Throwable;)V
    return-void
.end method

.method public getTargetException()Ljava/lang/Throwable;
    .locals 1
    invoke-virtual {p0}, Ljava/lang/Throwable;->getCause()Ljava/lang/Throwable;
    move-result-object v0
    return-object v0
.end method


.class public interface abstract Ljava/lang/reflect/InvocationHandler;
.method public abstract invoke(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
.end method


.class public Ljava/lang/reflect/Proxy;
.field private static made:I

.method protected constructor <init>(Ljava/lang/reflect/InvocationHandler;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/lang/reflect/Proxy;->h:Ljava/lang/reflect/InvocationHandler;
    return-void
.end method

# ART calls it for every method of a proxy.
.method private static invoke(Ljava/lang/reflect/Proxy;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
    .locals 1
    iget-object v0, p0, Ljava/lang/reflect/Proxy;->h:Ljava/lang/reflect/InvocationHandler;
    invoke-interface {v0, p0, p1, p2}, Ljava/lang/reflect/InvocationHandler;->invoke(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v0
    return-object v0
.end method

# The methods of one interface, without those of the interfaces that it extends.
.method public static newProxyInstance(Ljava/lang/ClassLoader;[Ljava/lang/Class;Ljava/lang/reflect/InvocationHandler;)Ljava/lang/Object;
    .locals 9
    const/4 v0, 0x0
    aget-object v1, p1, v0
    invoke-virtual {v1}, Ljava/lang/Class;->getDeclaredMethods()[Ljava/lang/reflect/Method;
    move-result-object v4
    array-length v1, v4
    new-array v5, v1, [[Ljava/lang/Class;
    :next
    if-ge v0, v1, :filled
    const/4 v2, 0x0
    new-array v2, v2, [Ljava/lang/Class;
    aput-object v2, v5, v0
    add-int/lit8 v0, v0, 0x1
    goto :next
    :filled
    new-instance v0, Ljava/lang/StringBuilder;
    const-string v1, "$Proxy"
    invoke-direct {v0, v1}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
    sget v1, Ljava/lang/reflect/Proxy;->made:I
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    add-int/lit8 v1, v1, 0x1
    sput v1, Ljava/lang/reflect/Proxy;->made:I
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v1
    move-object v2, p1
    move-object v3, p0
    invoke-static/range {v1 .. v5}, Ljava/lang/reflect/Proxy;->generateProxy(Ljava/lang/String;[Ljava/lang/Class;Ljava/lang/ClassLoader;[Ljava/lang/reflect/Method;[[Ljava/lang/Class;)Ljava/lang/Class;
    move-result-object v0
    const/4 v1, 0x1
    new-array v2, v1, [Ljava/lang/Class;
    const-class v3, Ljava/lang/reflect/InvocationHandler;
    const/4 v4, 0x0
    aput-object v3, v2, v4
    invoke-virtual {v0, v2}, Ljava/lang/Class;->getDeclaredConstructor([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;
    move-result-object v0
    new-array v1, v1, [Ljava/lang/Object;
    aput-object p2, v1, v4
    invoke-virtual {v0, v1}, Ljava/lang/reflect/Constructor;->newInstance([Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v0
    return-object v0
.end method


.class public final Ljava/lang/reflect/Array;

.method public static newInstance(Ljava/lang/Class;I)Ljava/lang/Object;
    .locals 2
    invoke-virtual {p0}, Ljava/lang/Class;->isPrimitive()Z
    move-result v0
    if-nez v0, :primitive
    invoke-static {p0, p1}, Ljava/lang/reflect/Array;->createObjectArray(Ljava/lang/Class;I)Ljava/lang/Object;
    move-result-object v0
    return-object v0
    :primitive
    const/4 v0, 0x1
    new-array v0, v0, [I
    const/4 v1, 0x0
    aput p1, v0, v1
    invoke-static {p0, v0}, Ljava/lang/reflect/Array;->newInstance(Ljava/lang/Class;[I)Ljava/lang/Object;
    move-result-object v0
    return-object v0
.end method

.method public static varargs newInstance(Ljava/lang/Class;[I)Ljava/lang/Object;
    .locals 1
    invoke-static {p0, p1}, Ljava/lang/reflect/Array;->createMultiArray(Ljava/lang/Class;[I)Ljava/lang/Object;
    move-result-object v0
    return-object v0
.end method


.class public abstract Ljava/lang/Enum;
.implements Ljava/lang/Comparable;
.implements Ljava/io/Serializable;
.field private final name:Ljava/lang/String;
.field private final ordinal:I

.method protected constructor <init>(Ljava/lang/String;I)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/lang/Enum;->name:Ljava/lang/String;
    iput p2, p0, Ljava/lang/Enum;->ordinal:I
    return-void
.end method

.method public final name()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/lang/Enum;->name:Ljava/lang/String;
    return-object v0
.end method

.method public toString()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Ljava/lang/Enum;->name:Ljava/lang/String;
    return-object v0
.end method

.method public final ordinal()I
    .locals 1
    iget v0, p0, Ljava/lang/Enum;->ordinal:I
    return v0
.end method

.method public final compareTo(Ljava/lang/Object;)I
    .locals 2
    check-cast p1, Ljava/lang/Enum;
    iget v0, p0, Ljava/lang/Enum;->ordinal:I
    iget v1, p1, Ljava/lang/Enum;->ordinal:I
    sub-int/2addr v0, v1
    return v0
.end method

.method public static valueOf(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;
    .locals 5
    invoke-virtual {p0}, Ljava/lang/Class;->getEnumConstants()[Ljava/lang/Object;
    move-result-object v0
    array-length v1, v0
    const/4 v2, 0x0
    :next
    if-ge v2, v1, :none
    aget-object v3, v0, v2
    check-cast v3, Ljava/lang/Enum;
    iget-object v4, v3, Ljava/lang/Enum;->name:Ljava/lang/String;
    invoke-virtual {v4, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v4
    if-eqz v4, :more
    return-object v3
    :more
    add-int/lit8 v2, v2, 0x1
    goto :next
    :none
    new-instance v0, Ljava/lang/IllegalArgumentException;
    invoke-direct {v0, p1}, Ljava/lang/IllegalArgumentException;-><init>(Ljava/lang/String;)V
    throw v0
.end method


.class public Ljava/lang/ref/WeakReference;
.super Ljava/lang/ref/Reference;

.method public constructor <init>(Ljava/lang/Object;)V
    .locals 0
    invoke-direct {p0, p1}, Ljava/lang/ref/Reference;-><init>(Ljava/lang/Object;)V
    return-void
.end method


.class public abstract Ljava/lang/ref/Reference;

.method constructor <init>(Ljava/lang/Object;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/lang/ref/Reference;->referent:Ljava/lang/Object;
    return-void
.end method

.method public get()Ljava/lang/Object;
    .locals 1
    invoke-direct {p0}, Ljava/lang/ref/Reference;->getReferent()Ljava/lang/Object;
    move-result-object v0
    return-object v0
.end method

.method public clear()V
    .locals 0
    invoke-virtual {p0}, Ljava/lang/ref/Reference;->clearReferent()V
    return-void
.end method


# ART hands it references whose object was collected; no thread waits for them here.
.class public Ljava/lang/ref/ReferenceQueue;
.method static add(Ljava/lang/ref/Reference;)V
    .locals 0
    return-void
.end method


# Finalizers do not run.
.class public final Ljava/lang/ref/FinalizerReference;
.super Ljava/lang/ref/Reference;
.method public static add(Ljava/lang/Object;)V
    .locals 0
    return-void
.end method


.class public abstract Ljava/lang/invoke/CallSite;
.method constructor <init>(Ljava/lang/invoke/MethodHandle;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/lang/invoke/CallSite;->target:Ljava/lang/invoke/MethodHandle;
    return-void
.end method


.class public Ljava/lang/invoke/ConstantCallSite;
.super Ljava/lang/invoke/CallSite;
.method public constructor <init>(Ljava/lang/invoke/MethodHandle;)V
    .locals 0
    invoke-direct {p0, p1}, Ljava/lang/invoke/CallSite;-><init>(Ljava/lang/invoke/MethodHandle;)V
    return-void
.end method


.class public final Ljava/lang/Daemons;
.method public static start()V
    .locals 0
    return-void
.end method
.method public static stop()V
    .locals 0
    return-void
.end method
.method public static waitForDaemonStart()V
    .locals 0
    return-void
.end method


.class public final Ljava/lang/System;
.field public static final out:Ljava/io/PrintStream;
.field public static final err:Ljava/io/PrintStream;
.field private static final properties:Ljava/util/HashMap;

.method static constructor <clinit>()V
    .locals 2
    new-instance v0, Ljava/io/PrintStream;
    const/4 v1, 0x1
    invoke-direct {v0, v1}, Ljava/io/PrintStream;-><init>(I)V
    sput-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    new-instance v0, Ljava/io/PrintStream;
    const/4 v1, 0x2
    invoke-direct {v0, v1}, Ljava/io/PrintStream;-><init>(I)V
    sput-object v0, Ljava/lang/System;->err:Ljava/io/PrintStream;
    new-instance v0, Ljava/util/HashMap;
    invoke-direct {v0}, Ljava/util/HashMap;-><init>()V
    sput-object v0, Ljava/lang/System;->properties:Ljava/util/HashMap;
    return-void
.end method

.method public static getProperty(Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    sget-object v0, Ljava/lang/System;->properties:Ljava/util/HashMap;
    invoke-virtual {v0, p0}, Ljava/util/HashMap;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Ljava/lang/String;
    return-object v0
.end method

.method public static setProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    sget-object v0, Ljava/lang/System;->properties:Ljava/util/HashMap;
    invoke-virtual {v0, p0, p1}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Ljava/lang/String;
    return-object v0
.end method

.method public static native nanoTime()J
.end method
.method public static native currentTimeMillis()J
.end method

.method public static exit(I)V
    .locals 0
    invoke-static {p0}, Lhostruntime/Host;->exit(I)V
    return-void
.end method

.method public static identityHashCode(Ljava/lang/Object;)I
    .locals 1
    const/4 v0, 0x0
    if-eqz p0, :null
    invoke-static {p0}, Ljava/lang/Object;->identityHashCodeNative(Ljava/lang/Object;)I
    move-result v0
    :null
    return v0
.end method

.method public static loadLibrary(Ljava/lang/String;)V
    .locals 2
    invoke-static {}, Ldalvik/system/VMStack;->getCallingClassLoader()Ljava/lang/ClassLoader;
    move-result-object v0
    invoke-virtual {v0, p0}, Ljava/lang/ClassLoader;->findLibrary(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    if-nez v1, :found
    new-instance v0, Ljava/lang/UnsatisfiedLinkError;
    invoke-direct {v0, p0}, Ljava/lang/UnsatisfiedLinkError;-><init>(Ljava/lang/String;)V
    throw v0
    :found
    invoke-static {v1, v0}, Ljava/lang/System;->loadFor(Ljava/lang/String;Ljava/lang/ClassLoader;)V
    return-void
.end method

.method public static load(Ljava/lang/String;)V
    .locals 1
    invoke-static {}, Ldalvik/system/VMStack;->getCallingClassLoader()Ljava/lang/ClassLoader;
    move-result-object v0
    invoke-static {p0, v0}, Ljava/lang/System;->loadFor(Ljava/lang/String;Ljava/lang/ClassLoader;)V
    return-void
.end method

.method private static loadFor(Ljava/lang/String;Ljava/lang/ClassLoader;)V
    .locals 2
    move-object v0, p1
    const/4 v1, 0x0
    invoke-static {p0, v0, v1}, Ljava/lang/Runtime;->nativeLoad(Ljava/lang/String;Ljava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/String;
    move-result-object v0
    if-eqz v0, :loaded
    new-instance v1, Ljava/lang/UnsatisfiedLinkError;
    invoke-direct {v1, v0}, Ljava/lang/UnsatisfiedLinkError;-><init>(Ljava/lang/String;)V
    throw v1
    :loaded
    return-void
.end method


.class public Ljava/lang/Runtime;
# Returns null or what went wrong.
.method public static native nativeLoad(Ljava/lang/String;Ljava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/String;
.end method


.class public Ljava/io/PrintStream;
.field private final stream:I

.method public constructor <init>(I)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput p1, p0, Ljava/io/PrintStream;->stream:I
    return-void
.end method

.method public print(Ljava/lang/String;)V
    .locals 1
    if-nez p1, :some
    const-string p1, "null"
    :some
    iget v0, p0, Ljava/io/PrintStream;->stream:I
    invoke-static {v0, p1}, Lhostruntime/Host;->write(ILjava/lang/String;)V
    return-void
.end method

.method public println(Ljava/lang/String;)V
    .locals 1
    if-nez p1, :some
    const-string p1, "null"
    :some
    const-string v0, "\n"
    invoke-virtual {p1, v0}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/io/PrintStream;->print(Ljava/lang/String;)V
    return-void
.end method

.method public println()V
    .locals 1
    const-string v0, "\n"
    invoke-virtual {p0, v0}, Ljava/io/PrintStream;->print(Ljava/lang/String;)V
    return-void
.end method

.method public println(Ljava/lang/Object;)V
    .locals 1
    invoke-static {p1}, Ljava/lang/String;->valueOf(Ljava/lang/Object;)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method

.method public println(I)V
    .locals 1
    invoke-static {p1}, Ljava/lang/String;->valueOf(I)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method

.method public println(J)V
    .locals 1
    invoke-static {p1, p2}, Ljava/lang/String;->valueOf(J)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method

.method public println(F)V
    .locals 1
    invoke-static {p1}, Ljava/lang/String;->valueOf(F)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method

.method public println(D)V
    .locals 1
    invoke-static {p1, p2}, Ljava/lang/String;->valueOf(D)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method

.method public println(Z)V
    .locals 1
    invoke-static {p1}, Ljava/lang/String;->valueOf(Z)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method

.method public println(C)V
    .locals 1
    invoke-static {p1}, Ljava/lang/String;->valueOf(C)Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method


# What the launcher implements.
.class public final Lhostruntime/Host;
# Stream 1 is the standard output, 2 the error output, 3 the log.
.method public static native write(ILjava/lang/String;)V
.end method
.method public static native exit(I)V
.end method
# Reports an uncaught exception and ends the process.
.method public static native fail(Ljava/lang/Throwable;)V
.end method
.method public static native verify(Ljava/lang/Class;)I
.annotation build Ldalvik/annotation/optimization/FastNative;
.end annotation
.end method
.method public static awaitThreads()V
    .locals 0
    invoke-static {}, Ljava/lang/Thread;->awaitStarted()V
    return-void
.end method


# Lines of the log: level, tag and message.
.class public final Landroid/util/Log;
.method public static println(ILjava/lang/String;Ljava/lang/String;)I
    .locals 3
    const-string v0, "??VDIWEF"
    invoke-virtual {v0, p0}, Ljava/lang/String;->charAt(I)C
    move-result v0
    new-instance v1, Ljava/lang/StringBuilder;
    invoke-direct {v1}, Ljava/lang/StringBuilder;-><init>()V
    invoke-virtual {v1, v0}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    const-string v2, "/"
    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v1, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v2, ": "
    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v1, p2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v2, "\n"
    invoke-virtual {v1, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v1}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v1
    const/4 v2, 0x3
    invoke-static {v2, v1}, Lhostruntime/Host;->write(ILjava/lang/String;)V
    invoke-virtual {v1}, Ljava/lang/String;->length()I
    move-result v0
    return v0
.end method

.method public static isLoggable(Ljava/lang/String;I)Z
    .locals 1
    const/4 v0, 0x1
    return v0
.end method

.method public static v(Ljava/lang/String;Ljava/lang/String;)I
    .locals 1
    const/4 v0, 0x2
    invoke-static {v0, p0, p1}, Landroid/util/Log;->println(ILjava/lang/String;Ljava/lang/String;)I
    move-result v0
    return v0
.end method

.method public static d(Ljava/lang/String;Ljava/lang/String;)I
    .locals 1
    const/4 v0, 0x3
    invoke-static {v0, p0, p1}, Landroid/util/Log;->println(ILjava/lang/String;Ljava/lang/String;)I
    move-result v0
    return v0
.end method

.method public static d(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Throwable;)I
    .locals 1
    const/4 v0, 0x3
    invoke-static {v0, p0, p1}, Landroid/util/Log;->println(ILjava/lang/String;Ljava/lang/String;)I
    move-result v0
    return v0
.end method

.method public static i(Ljava/lang/String;Ljava/lang/String;)I
    .locals 1
    const/4 v0, 0x4
    invoke-static {v0, p0, p1}, Landroid/util/Log;->println(ILjava/lang/String;Ljava/lang/String;)I
    move-result v0
    return v0
.end method

.method public static w(Ljava/lang/String;Ljava/lang/String;)I
    .locals 1
    const/4 v0, 0x5
    invoke-static {v0, p0, p1}, Landroid/util/Log;->println(ILjava/lang/String;Ljava/lang/String;)I
    move-result v0
    return v0
.end method

.method public static w(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Throwable;)I
    .locals 1
    const/4 v0, 0x5
    invoke-static {v0, p0, p1}, Landroid/util/Log;->println(ILjava/lang/String;Ljava/lang/String;)I
    move-result v0
    return v0
.end method

.method public static e(Ljava/lang/String;Ljava/lang/String;)I
    .locals 1
    const/4 v0, 0x6
    invoke-static {v0, p0, p1}, Landroid/util/Log;->println(ILjava/lang/String;Ljava/lang/String;)I
    move-result v0
    return v0
.end method

.method public static e(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Throwable;)I
    .locals 1
    const/4 v0, 0x6
    invoke-static {v0, p0, p1}, Landroid/util/Log;->println(ILjava/lang/String;Ljava/lang/String;)I
    move-result v0
    return v0
.end method


.class public final Lsun/misc/Unsafe;
.field private static final theUnsafe:Lsun/misc/Unsafe;

.method static constructor <clinit>()V
    .locals 1
    new-instance v0, Lsun/misc/Unsafe;
    invoke-direct {v0}, Lsun/misc/Unsafe;-><init>()V
    sput-object v0, Lsun/misc/Unsafe;->theUnsafe:Lsun/misc/Unsafe;
    return-void
.end method

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

.method public static getUnsafe()Lsun/misc/Unsafe;
    .locals 1
    sget-object v0, Lsun/misc/Unsafe;->theUnsafe:Lsun/misc/Unsafe;
    return-object v0
.end method
